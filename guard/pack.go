package guard

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Pattern is one rule of a pattern pack: what it finds and what it means.
type Pattern struct {
	ID         string
	Kind       string // attack | mention | rubric | role
	Category   string
	Severity   string // critical | high | medium | low; "" unless Kind is attack
	Languages  []string
	Expr       string   // RE2 with the lexicon expanded
	Unless     string   // RE2; a match whose clause matches this too is none; "": no such thing
	Mention    string   // what downgrades a match: respect (quotation or mention), quoted (quotation), ignore (nothing)
	Views      []string // views it is matched in; empty: all
	Mode       string   // enforce | monitor
	Why        string
	References []string
	Match      []string // examples that it must find
	NoMatch    []string // examples that it must not find
	Source     string   // file of the pack

	unless *regexp.Regexp
}

// Kinds of pattern. Only attacks are findings; the others feed stance and
// features.
const (
	kindAttack  = "attack"  // an order to the evaluator, or a means to hide one
	kindMention = "mention" // turns what stands in the same clause into talk about it
	kindRubric  = "rubric"  // a mark of evaluation criteria
	kindRole    = "role"    // the evaluator is addressed
)

// Mention policies of a pattern: what makes a match talk instead of an order.
const (
	mentionRespect = "respect" // a quotation around it or a mention in its clause
	mentionQuoted  = "quoted"  // a quotation around it
	mentionIgnore  = "ignore"  // nothing
)

// Packs are the pattern packs of one policy, in order of file and place.
type Packs struct {
	Patterns []Pattern
}

// LoadPacks reads every YAML pack in dir. Everything wrong with them is
// reported at once in a *PolicyError with file and line: members that are not
// known, ids that occur twice, expressions that RE2 refuses, limits that are
// exceeded, patterns without examples.
func LoadPacks(fsys fs.FS, dir string) (*Packs, error) {
	packs, problems := loadPacks(fsys, dir)
	if err := refuse(problems...); err != nil {
		return nil, err
	}
	return packs, nil
}

func loadPacks(fsys fs.FS, dir string) (*Packs, []Problem) {
	names, err := packFiles(fsys, dir)
	if err != nil {
		return nil, []Problem{{Stage: "patterns", File: dir, Message: err.Error()}}
	}
	var files []*packFile
	var problems []Problem
	for _, name := range names {
		f, bad := readPack(fsys, name)
		problems = append(problems, bad...)
		if f != nil {
			files = append(files, f)
		}
	}
	words, bad := collectWords(files)
	problems = append(problems, bad...)
	packs := &Packs{}
	seen := map[string]string{}
	for _, f := range files {
		for i := range f.doc.Patterns {
			p, bad := f.pattern(i, words, seen)
			problems = append(problems, bad...)
			packs.Patterns = append(packs.Patterns, p)
		}
	}
	if len(packs.Patterns) > maxPatterns {
		problems = append(problems, Problem{Stage: "patterns", File: dir, Message: "there are more than " + itoa(maxPatterns) + " patterns; merge or remove some"})
	}
	if len(packs.Patterns) == 0 && len(problems) == 0 {
		problems = append(problems, Problem{Stage: "patterns", File: dir, Message: "no pattern is defined; a guard without patterns finds nothing"})
	}
	return packs, problems
}

func packFiles(fsys fs.FS, dir string) ([]string, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".yaml") {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	if len(names) == 0 {
		return nil, errors.New("there is no pattern pack (*.yaml)")
	}
	slices.SortFunc(names, cmp.Compare[string])
	return names, nil
}

// collectWords joins the lexicons of all packs. A name means the same
// everywhere.
func collectWords(files []*packFile) (map[string]string, []Problem) {
	words, owner := map[string]string{}, map[string]string{}
	var problems []Problem
	for _, f := range files {
		for name, body := range f.doc.Words {
			at := "$.words." + name
			switch {
			case wordName(name+"}") != name:
				problems = append(problems, f.problem(at, "the lexicon entry "+quote(name)+" needs a name of a-z, 0-9 and _ that begins with a letter"))
			case owner[name] != "":
				problems = append(problems, f.problem(at, "the lexicon entry "+quote(name)+" is also in "+owner[name]+"; names are shared by all packs"))
			default:
				words[name], owner[name] = body, f.name
			}
		}
	}
	return words, problems
}

// readIn reports whether the pattern is matched in a view.
func (p *Pattern) readIn(view string) bool {
	return len(p.Views) == 0 || slices.Contains(p.Views, view)
}

// maxSample bounds the examples that are a sample of what will be read, in bytes.
const maxSample = 64 << 10

// sample are examples of the packs, normalised: attacks and rubrics.
func (p *Packs) sample() []string {
	var out []string
	size := 0
	for i := range p.Patterns {
		for _, list := range [][]string{p.Patterns[i].NoMatch, p.Patterns[i].Match} {
			if len(list) == 0 || size > maxSample {
				continue
			}
			v, _ := normalize(list[0])
			out = append(out, v.text)
			size += len(v.text)
		}
	}
	return out
}
