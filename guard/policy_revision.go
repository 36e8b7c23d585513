package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/open-policy-agent/opa/v1/version"
	"golang.org/x/text/unicode/norm"
)

// engineVersion changes with every change of this package's Go code that can
// change a decision: normalisation, decoding, scanning, features, input.
const engineVersion = "1"

// revisionOf hashes what decides: each file of the policy that is read when it
// is compiled, in order of name, and the versions of what reads them. Tests and
// texts beside them do not count.
func revisionOf(fsys fs.FS) (string, error) {
	h := sha256.New()
	add := func(parts ...string) {
		for _, p := range parts {
			fmt.Fprintf(h, "%d:%s,", len(p), p)
		}
	}
	add("bailiff policy", engineVersion, version.Version, unicode.Version, norm.Version)
	add(allowedBuiltins...)
	add(dependencies()...)
	files, err := decidingFiles(fsys)
	if err != nil {
		return "", err
	}
	for _, file := range files {
		src, err := fs.ReadFile(fsys, file)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", file, err)
		}
		add(file, string(src))
	}
	return hex.EncodeToString(h.Sum(nil))[:32], nil
}

func decidingFiles(fsys fs.FS) ([]string, error) {
	var files []string
	for _, ext := range []string{".rego", ".yaml", ".json"} {
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

// dependencies are the module versions that matching and normalising rest on.
func dependencies() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var out []string
	for _, m := range info.Deps {
		if m.Path == "github.com/wasilibs/go-re2" || m.Path == "golang.org/x/text" {
			out = append(out, m.Path+"@"+m.Version)
		}
	}
	return out
}
