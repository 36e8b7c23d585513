package main

import "context"

type serveCmd struct {
	Config string `type:"existingfile" placeholder:"FILE" help:"Configuration file; bailiff.yaml in the working directory is read when it is there."`
	Check  bool   `help:"Check configuration and policies, print the effective configuration with secrets masked, and exit."`
}

func (c *serveCmd) Run(_ context.Context, _ *stdio) error { return nil }
