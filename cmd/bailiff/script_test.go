package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bailiff/guard"
	"bailiff/judge/model/modeltest"
)

func TestMain(m *testing.M) {
	guard.SandboxMain()
	testscript.Main(m, map[string]func(){
		"bailiff": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
			code := execute(ctx, os.Args[1:], &stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr})
			stop()
			os.Exit(code)
		},
	})
}

// TestScripts runs the program as a user types it. Each script is a page of
// the manual.
func TestScripts(t *testing.T) {
	t.Parallel()
	up := modeltest.New(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("NO_COLOR", "1")
			env.Setenv("MODEL_URL", up.URL()) // of a scripted model
			return nil
		},
	})
}
