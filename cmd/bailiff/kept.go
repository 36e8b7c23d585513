package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"bailiff/cmd/internal/store"
	"bailiff/rubric"
)

// keeping says what a verb does with the store of worked definitions.
type keeping int

const (
	keepNothing keeping = iota
	readStore           // use a store that is there, make none
	keepInStore
)

// openKept opens the store of worked definitions. A verb does its work without
// one: what it resolves is then resolved again by the next.
func openKept(ctx context.Context, std *stdio, location string, keep keeping) *store.DB {
	if keep == keepNothing {
		return nil
	}
	if path, isFile := strings.CutPrefix(location, "sqlite:"); isFile && keep == readStore {
		if _, err := os.Stat(path); err != nil {
			return nil
		}
	}
	db, err := store.Open(ctx, location)
	if err != nil {
		fmt.Fprintf(std.err, "bailiff: resolved definitions are not kept for the next run: %v (BAILIFF_STORE names the store)\n", err)
		return nil
	}
	return db
}

// newResolver is a resolver in front of a store, which may be nil. A store that
// fails is told of once: the work goes on without it.
func newResolver(std *stdio, db *store.DB) *rubric.Resolver {
	if db == nil {
		return rubric.NewResolver(rubric.Config{})
	}
	var once sync.Once
	return rubric.NewResolver(rubric.Config{Cache: db, CacheFailed: func(ctx context.Context, op string, err error) {
		if ctx.Err() == nil {
			once.Do(func() {
				fmt.Fprintf(std.err, "bailiff: the store of resolved definitions failed to %s: %v\n", op, err)
			})
		}
	}})
}
