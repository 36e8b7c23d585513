package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/guard"
	"bailiff/judge"
	"bailiff/rubric"
)

// version is set by the linker in a release.
var version = "dev"

type versionCmd struct {
	Output string `enum:"text,json" default:"text" help:"text for people, json for programs (${enum})."`
}

// buildInfo is what a version consists of: everything that can change an
// answer.
type buildInfo struct {
	Version        string            `json:"version"`
	Commit         string            `json:"commit"` // "" when not built from a checkout
	Go             string            `json:"go"`
	PolicyRevision string            `json:"policy_revision"`
	PromptVersions map[string]string `json:"prompt_versions"`
}

func (c *versionCmd) Run(ctx context.Context, std *stdio) error {
	policy, err := compilePolicies(ctx, "")
	if err != nil {
		return err
	}
	info := newBuildInfo(policy.Revision())
	if c.Output == "json" {
		if err := json.MarshalWrite(std.out, info, jsontext.Multiline(true), json.Deterministic(true)); err != nil {
			return err
		}
		_, err := io.WriteString(std.out, "\n")
		return err
	}
	commit := info.Commit
	if commit == "" {
		commit = "unknown"
	}
	fmt.Fprintf(std.out, "bailiff    %s\ncommit     %s\ngo         %s\npolicy     %s\n", info.Version, commit, info.Go, info.PolicyRevision)
	for _, name := range slices.Sorted(maps.Keys(info.PromptVersions)) {
		fmt.Fprintf(std.out, "%-10s %s\n", name, info.PromptVersions[name])
	}
	return nil
}

func newBuildInfo(policyRevision string) buildInfo {
	info := buildInfo{Version: version, Go: runtime.Version(), PolicyRevision: policyRevision, PromptVersions: map[string]string{}}
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, s := range build.Settings {
			if s.Key == "vcs.revision" {
				info.Commit = s.Value
			}
		}
	}
	for _, versions := range []map[string]string{guard.PromptVersions(), rubric.PromptVersions(), judge.PromptVersions()} {
		maps.Copy(info.PromptVersions, versions)
	}
	return info
}
