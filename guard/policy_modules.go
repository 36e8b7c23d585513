package guard

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// modules are the Rego sources of a policy, parsed and within the limits.
type modules struct {
	policy  map[string]*ast.Module // what decides
	tests   map[string]*ast.Module // *_test.rego
	sources map[string][]byte
}

// readModules reads every .rego file of fsys. Errors are *PolicyError.
func readModules(fsys fs.FS) (modules, error) {
	ms := modules{policy: map[string]*ast.Module{}, tests: map[string]*ast.Module{}, sources: map[string][]byte{}}
	files, err := filesOf(fsys, ".rego")
	if err != nil {
		return ms, refuse(Problem{Stage: "layout", Message: err.Error()})
	}
	if len(files) > maxModules {
		return ms, refuse(Problem{Stage: "limits", Message: fmt.Sprintf("the policy has %d modules; %d are allowed", len(files), maxModules)})
	}
	var problems []Problem
	for _, file := range files {
		problems = append(problems, ms.read(fsys, file)...)
	}
	if len(problems) == 0 {
		problems = checkExpansion(ms.policy)
	}
	return ms, refuse(problems...)
}

// filesOf lists the files of fsys whose name ends in ext, in order.
func filesOf(fsys fs.FS, ext string) ([]string, error) {
	var files []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ext {
			files = append(files, name)
		}
		return err
	})
	slices.Sort(files)
	if err != nil {
		return nil, fmt.Errorf("list the policy's files: %w", err)
	}
	return files, nil
}

func (ms modules) read(fsys fs.FS, file string) []Problem {
	src, err := readLimited(fsys, file, maxModuleBytes)
	if err != nil {
		return []Problem{{Stage: "limits", File: file, Message: err.Error()}}
	}
	if problems := checkSource(file, src); problems != nil {
		return problems
	}
	m, problems := parseModule(file, src)
	if problems != nil {
		return problems
	}
	ms.sources[file] = src
	if strings.HasSuffix(file, "_test.rego") {
		ms.tests[file] = m
		return checkPackage(m)
	}
	ms.policy[file] = m
	return slices.Concat(checkTree(m), checkPackage(m), checkHermetic(m))
}

// readLimited reads a file and refuses one of more than limit bytes.
func readLimited(fsys fs.FS, file string, limit int64) ([]byte, error) {
	info, err := fs.Stat(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("is %d bytes long; %d are allowed", info.Size(), limit)
	}
	return fs.ReadFile(fsys, file)
}

func parseModule(file string, src []byte) (*ast.Module, []Problem) {
	m, err := ast.ParseModuleWithOpts(file, string(src), ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
	if err != nil {
		return nil, problemsOf("parse", file, err)
	}
	return m, nil
}

// checkPackage holds every module inside data.bailiff, so that a file cannot
// define what another document means.
func checkPackage(m *ast.Module) []Problem {
	p := m.Package.Path
	if len(p) >= 3 && p[1].Value.Compare(ast.String("bailiff")) == 0 && !p[2].Equal(ast.InternedTerm("config")) {
		return nil
	}
	loc := m.Package.Location
	return []Problem{{
		Stage: "layout", File: loc.File, Row: loc.Row, Col: loc.Col,
		Message: fmt.Sprintf("package %s is outside bailiff; write package bailiff.<name> (bailiff.config is for data.json)", strings.TrimPrefix(p.String(), "data.")),
	}}
}

// checkHermetic refuses what lets a rule decide by anything but its input and
// the policy's data: mocks, and schemas fetched through annotations.
func checkHermetic(m *ast.Module) []Problem {
	var problems []Problem
	ast.WalkExprs(m, func(e *ast.Expr) bool {
		if len(e.With) > 0 {
			problems = append(problems, Problem{
				Stage: "limits", File: e.Location.File, Row: e.Location.Row, Col: e.Location.Col,
				Message: `"with" belongs in tests; a rule of the policy may not replace its input or data`,
			})
		}
		return false
	})
	for _, a := range m.Annotations {
		if len(a.Schemas) > 0 {
			problems = append(problems, Problem{
				Stage: "limits", File: a.Location.File, Row: a.Location.Row, Col: a.Location.Col,
				Message: "schemas in annotations are not supported; the input's schema is schemas/input.json",
			})
		}
	}
	return problems
}
