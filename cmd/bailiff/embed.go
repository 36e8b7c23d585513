package main

import (
	"io/fs"
	"os"

	"bailiff/policies"
)

// policyFS is where policies are read from: a directory, or the embedded ones.
func policyFS(dir string) fs.FS {
	if dir == "" {
		return policies.FS
	}
	return os.DirFS(dir)
}
