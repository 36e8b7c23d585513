package guard

import "io/fs"

// patternDir is where a policy keeps its packs.
const patternDir = "patterns"

// loadText makes the text engine of a policy from its packs.
func loadText(fsys fs.FS) (textEngine, []Problem) {
	packs, problems := loadPacks(fsys, patternDir)
	if problems != nil {
		return nil, problems
	}
	s, err := newScanner(packs)
	if err != nil {
		return nil, []Problem{{Stage: "patterns", File: patternDir, Message: err.Error()}}
	}
	return s, nil
}

// rules lists the patterns and what the engine finds by itself.
func (s *scanner) rules() []RuleInfo {
	out := make([]RuleInfo, 0, len(s.packs.Patterns))
	for i := range s.packs.Patterns {
		p := &s.packs.Patterns[i]
		if p.Kind != kindAttack {
			continue
		}
		out = append(out, RuleInfo{
			ID: p.ID, Kind: "pattern", Category: p.Category, Severity: p.Severity, Mode: p.Mode, Why: p.Why,
			Languages: p.Languages, References: append([]string{}, p.References...), Source: p.Source,
		})
	}
	return append(out, engineRules()...)
}

// checkExamples holds the examples of every pattern against the whole engine.
// That there are patterns is for loadText to ask.
func checkExamples(fsys fs.FS) []Problem {
	if _, err := fs.Stat(fsys, patternDir); err != nil {
		return nil
	}
	packs, problems := loadPacks(fsys, patternDir)
	if problems != nil {
		return problems
	}
	s, err := newScanner(packs)
	if err != nil {
		return []Problem{{Stage: "patterns", File: patternDir, Message: err.Error()}}
	}
	for i := range packs.Patterns {
		p := &packs.Patterns[i]
		for _, text := range p.Match {
			if !s.fires(p, text) {
				problems = append(problems, Problem{Stage: "tests", File: p.Source, Message: p.ID + " does not find its example " + quote(excerpt(text))})
			}
		}
		for _, text := range p.NoMatch {
			if s.fires(p, text) {
				problems = append(problems, Problem{Stage: "tests", File: p.Source, Message: p.ID + " finds what it should let through: " + quote(excerpt(text))})
			}
		}
	}
	return problems
}

// fires reports whether the pattern finds anything in the text, in any reading.
func (s *scanner) fires(p *Pattern, text string) bool {
	if p.Kind == kindAttack {
		marks, _ := s.scan(text)
		for i := range marks {
			if marks[i].RuleID == p.ID {
				return true
			}
		}
		return false
	}
	v, _ := normalize(text)
	found := false
	s.set.each(v.text, 1, func(i int, _ []span) { found = found || s.packs.Patterns[i].ID == p.ID })
	return found
}
