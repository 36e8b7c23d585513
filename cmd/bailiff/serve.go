package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"bailiff/cmd/internal/config"
)

type serveCmd struct {
	Config    string `type:"existingfile" placeholder:"FILE" help:"Configuration file; bailiff.yaml in the working directory is read when it is there."`
	Check     bool   `help:"Check configuration and policies, print the effective configuration with secrets masked, and exit."`
	Addr      string `placeholder:"HOST:PORT" help:"Listen address; port 0 takes a free one."`
	Store     string `placeholder:"sqlite:PATH" help:"Where runs, keys and results are kept."`
	Policies  string `placeholder:"DIR" help:"Policies to decide by; the embedded ones without."`
	Audit     string `placeholder:"SINK" help:"Audit log: file:PATH, stdout or store."`
	Model     string `placeholder:"SLUG" help:"Default model."`
	LogLevel  string `placeholder:"LEVEL" help:"debug, info, warn or error."`
	LogFormat string `placeholder:"FORMAT" help:"json or console."`
}

// Help is the longer text of bailiff serve --help.
func (*serveCmd) Help() string {
	return "Settings come from the file, BAILIFF_* variables over it, flags over those; everything has a default. SIGTERM drains: what is being worked is finished, the rest goes on at the next start."
}

func (c *serveCmd) Run(ctx context.Context, std *stdio) error {
	cfg, err := loadConfig(c.Config, map[string]string{
		"addr": c.Addr, "store": c.Store, "policies": c.Policies, "audit": c.Audit, "model": c.Model, "log_level": c.LogLevel, "log_format": c.LogFormat,
	})
	if err != nil {
		return err
	}
	if c.Check {
		return c.check(ctx, std, cfg)
	}
	g, err := startGateway(ctx, cfg, std)
	if err != nil {
		return err
	}
	g.announce(std.err)
	select {
	case <-ctx.Done():
		g.log.Info().Str("component", "gateway").Msg("draining")
		return failedOrNil(g.drain(ctx))
	case err := <-g.failed:
		return failedError(errors.Join(fmt.Errorf("serve: %w", err), g.drain(ctx)))
	}
}

func failedOrNil(err error) error {
	if err == nil {
		return nil
	}
	return failedError(err)
}

// check says whether the gateway could start with this configuration.
func (c *serveCmd) check(ctx context.Context, std *stdio, cfg config.Config) error {
	policy, err := compilePolicies(ctx, cfg.Policies)
	if err != nil {
		return err
	}
	catalog, err := newCatalog(cfg)
	if err != nil {
		return err
	}
	catalog.Close()
	for _, w := range cfg.Warnings {
		fmt.Fprintln(std.err, "warning:", w)
	}
	fmt.Fprintf(std.out, "# policy revision %s, %d rules\n", policy.Revision(), len(policy.Rules()))
	return cfg.Write(std.out)
}

// announce tells the operator what there is to know now and never again.
func (g *gateway) announce(w io.Writer) {
	for _, warning := range g.cfg.Warnings {
		g.log.Warn().Str("component", "config").Msg(warning)
	}
	if g.cfg.Model == config.OfflineModel {
		fmt.Fprintln(w, "bailiff: no model is configured, so the built-in baseline judges: it compares text and is not a language model. Set OPENAI_API_KEY to use one.")
	}
	if g.madeKey != "" {
		fmt.Fprintf(w, "bailiff: this admin key was made now and is shown this once: %s\n", g.madeKey)
	}
	g.log.Info().Str("component", "gateway").Str("url", g.url()).Str("version", version).Msg("listening")
}

// newLogger makes the service log: lines of JSON, or coloured ones on a
// terminal.
func newLogger(std *stdio, cfg config.Config) zerolog.Logger {
	out := std.err
	if cfg.LogFormat == "console" || cfg.LogFormat == "" && std.terminal {
		out = zerolog.ConsoleWriter{Out: std.err, NoColor: !std.terminal, TimeFormat: time.TimeOnly}
	}
	level, err := zerolog.ParseLevel(cfg.LogLevel)
	if err != nil {
		level = zerolog.InfoLevel
	}
	return zerolog.New(out).Level(level).With().Timestamp().Logger()
}

// quietLog takes what the HTTP server has to say about connections. It may
// quote what a client sent, so it is cut short and shown only when debugging.
func quietLog(logger zerolog.Logger) *log.Logger {
	return log.New(connectionLog{logger}, "", 0)
}

type connectionLog struct{ log zerolog.Logger }

// maxConnectionNote bounds what is shown of a message, in bytes.
const maxConnectionNote = 120

func (c connectionLog) Write(p []byte) (int, error) {
	note, _, _ := strings.Cut(string(p), "\n")
	c.log.Debug().Str("component", "http").Str("note", note[:min(len(note), maxConnectionNote)]).Msg("connection")
	return len(p), nil
}
