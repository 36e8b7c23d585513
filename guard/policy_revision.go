package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/open-policy-agent/opa/v1/version"
	"golang.org/x/text/unicode/norm"
)

// revisionOf hashes what decides: each file of the policy that is read when it
// is compiled, in order of name, the code that reads it, and the versions of
// the libraries and Unicode tables below. Tests and texts beside them do not
// count.
func revisionOf(fsys fs.FS) (string, error) {
	engine, err := engineSum()
	if err != nil {
		return "", err
	}
	files, err := decidingFiles(fsys, bundleKinds()...)
	if err != nil {
		return "", err
	}
	sum, err := sumOf(fsys, files, append(dependencies(), "bailiff policy", engine)...)
	if err != nil {
		return "", err
	}
	return sum[:32], nil
}

// engineSum is the hash of this package's code and tables. It is computed once.
var engineSum = sync.OnceValues(func() (string, error) {
	files, err := engineFiles()
	if err != nil {
		return "", err
	}
	return sumOf(engineSource, files)
})

// engineFiles are the code and tables of this package.
func engineFiles() ([]string, error) { return decidingFiles(engineSource, ".go", ".bloom") }

// sumOf hashes words and files, each with its length in front, so that no two
// lists have the same bytes.
func sumOf(fsys fs.FS, files []string, words ...string) (string, error) {
	h := sha256.New()
	add := func(s string) { fmt.Fprintf(h, "%d:%s,", len(s), s) }
	for _, w := range words {
		add(w)
	}
	for _, file := range files {
		src, err := fs.ReadFile(fsys, file)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", file, err)
		}
		add(file)
		add(string(src))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func decidingFiles(fsys fs.FS, kinds ...string) ([]string, error) {
	var files []string
	for _, ext := range kinds {
		found, err := filesOf(fsys, ext)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test"+path.Ext(f)) })
	slices.Sort(files)
	return files, nil
}

// dependencies are the versions of what matching, normalising and evaluating
// rest on.
func dependencies() []string {
	out := []string{"go " + runtime.Version(), "opa " + version.Version, "unicode " + unicode.Version, "norm " + norm.Version}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return out
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/wasilibs/go-re2" || m.Path == "golang.org/x/text" {
			out = append(out, m.Path+" "+m.Version)
		}
	}
	return out
}
