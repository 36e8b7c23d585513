// Command bailiff is a guarded gateway for judges of text: it decides whether
// an evaluation definition is safe and sensible, turns it into steps, and
// scores records by them.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"bailiff/guard"
)

// verbs is the table of everything the program does: one member a verb, one
// file a member.
type verbs struct {
	Demo      demoCmd      `cmd:"" help:"Show the main job on embedded parts: no key, no database to install."`
	Serve     serveCmd     `cmd:"" help:"Run the gateway."`
	Scan      scanCmd      `cmd:"" help:"Scan one text, or many, and decide by policy; no model is asked."`
	Run       runCmd       `cmd:"" help:"Score the cases of a file, or resolve their steps, without a gateway."`
	Estimate  estimateCmd  `cmd:"" help:"Count calls, tokens and US dollars of a run; no model is called."`
	Calibrate calibrateCmd `cmd:"" help:"Compare a judge with labels of people."`
	Version   versionCmd   `cmd:"" help:"Show version, policy revision and prompt versions."`
}

func main() {
	// A candidate policy is tried in a child process of this same program.
	guard.SandboxMain()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], &stdio{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		terminal: isTerminal(os.Stderr), color: os.Getenv("NO_COLOR") == "" && isTerminal(os.Stdout),
	})
	stop()
	os.Exit(code)
}

// isTerminal reports whether f is a character device, which is what matters to
// progress bars and colour.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// exitRequest ends the parser when it has printed its help.
type exitRequest int

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, std *stdio) (code int) {
	defer func() {
		if v := recover(); v != nil {
			asked, ok := v.(exitRequest)
			if !ok {
				panic(v)
			}
			code = int(asked)
		}
	}()
	var table verbs
	parser, err := kong.New(&table,
		kong.Name("bailiff"),
		kong.Description("A guarded gateway for LLM judges. Without a model's key the built-in baseline judges."),
		kong.UsageOnError(),
		kong.Writers(std.out, std.err),
		kong.Exit(func(c int) { panic(exitRequest(c)) }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std),
	)
	if err != nil {
		return say(std.err, failedError(fmt.Errorf("build the command line: %w", err)))
	}
	command, err := parser.Parse(args)
	if err != nil {
		return say(std.err, usageError(fmt.Errorf("%w (bailiff --help lists the commands)", err)))
	}
	return say(std.err, command.Run())
}

// say writes what a verb's error has to say and returns its exit code.
func say(w io.Writer, err error) int {
	code, speak := codeOf(err)
	if speak {
		fmt.Fprintln(w, "bailiff:", err)
	}
	return code
}
