package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"bailiff/cmd/internal/config"
)

// startDemo starts a gateway of its own: on a free port, in a temporary
// folder, judging with the built-in baseline whatever the environment says.
func startDemo(ctx context.Context, std *stdio) (_ demoGateway, clean func(), err error) {
	dir, err := os.MkdirTemp("", "bailiff-demo-")
	if err != nil {
		return demoGateway{}, nil, failedError(err)
	}
	remove := func() { _ = os.RemoveAll(dir) } // a temporary folder that stays is no harm
	cfg, err := config.Load(config.Source{NoFile: true, Env: []string{}, Flags: map[string]string{
		"addr":      "127.0.0.1:0",
		"store":     "sqlite:" + filepath.Join(dir, "bailiff.db"),
		"audit":     "file:" + filepath.Join(dir, "audit.jsonl"),
		"log_level": "error",
	}})
	if err != nil {
		remove()
		return demoGateway{}, nil, err
	}
	g, err := startGateway(ctx, cfg, std)
	if err != nil {
		remove()
		return demoGateway{}, nil, err
	}
	if g.madeKey == "" {
		return demoGateway{}, nil, errors.Join(errors.New("no key was made for a new store"), g.drain(ctx))
	}
	return demoGateway{url: g.url(), key: g.madeKey}, func() {
		_ = g.drain(ctx) // the tour is over: there is nothing to keep
		remove()
	}, nil
}
