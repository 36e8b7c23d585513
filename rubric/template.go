package rubric

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Placeholder is something in a text that looks as if a program were to fill
// it in. Nothing is ever filled in: definitions are taken as they stand.
type Placeholder struct {
	Name       string // what stands between the marks, "" for %s and the like
	Start, End int    // byte offsets into the text
}

// The forms of placeholders: mustache and Jinja, shell and JavaScript, Go,
// Python's format and printf, ERB, angle and square brackets in capitals.
var placeholderForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`\{\{-?\s*([^{}\n]{0,60}?)\s*-?\}\}`,
		`\{%-?\s*([^{}%\n]{1,60}?)\s*-?%\}`,
		`<%[=-]?\s*([^<>%\n]{1,60}?)\s*%>`,
		`\$\{\s*([^{}\n]{1,60}?)\s*\}`,
		`\$\(([A-Za-z_][A-Za-z0-9_]{0,40})\)`,
		`\{([A-Za-z_][A-Za-z0-9_.]{0,40}|\d?)\}`,
		`%\(([A-Za-z_][A-Za-z0-9_]{0,40})\)[sdif]`,
		`\[\[\s*([A-Za-z_][A-Za-z0-9_ ]{0,40}?)\s*\]\]`,
		`<([A-Z][A-Z0-9_]{2,40})>`,
	}, "|"))
})

var printfForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[sdvfq]`) })

// DetectPlaceholders finds template leftovers in a text, in order of place.
func DetectPlaceholders(text string) []Placeholder {
	var found []Placeholder
	for _, m := range placeholderForm().FindAllStringSubmatchIndex(text, -1) {
		if text[m[0]] == '{' && text[m[0]+1] != '{' && text[m[0]+1] != '%' && !opens(text[:m[0]]) {
			continue // a group of TeX or a count of a regular expression
		}
		p := Placeholder{Start: m[0], End: m[1]}
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				p.Name = strings.Trim(text[m[g]:m[g+1]], ". ")
			}
		}
		found = append(found, p)
	}
	for _, m := range printfForm().FindAllStringIndex(text, -1) {
		if opens(text[:m[0]]) && edge(text, m[1]) { // "100%s" is no directive
			found = append(found, Placeholder{Start: m[0], End: m[1]})
		}
	}
	slices.SortFunc(found, func(a, b Placeholder) int { return cmp.Compare(a.Start, b.Start) })
	return found
}

// opens tells text after which a single mark may open a placeholder.
func opens(before string) bool {
	r := lastOf(before)
	return before == "" || unicode.IsSpace(r) || unspaced(r) || strings.ContainsRune("\"'`“‘«([:,;=>/|", r)
}

// placeholderRefs are the placeholders that name a field.
func placeholderRefs(text string) []FieldRef {
	var refs []FieldRef
	for _, p := range DetectPlaceholders(text) {
		name := p.Name
		if i := strings.LastIndexAny(name, ".|"); i >= 0 && !strings.Contains(name, "|") {
			name = name[i+1:]
		}
		if f, ok := fieldByAlias(name); ok {
			refs = append(refs, FieldRef{Field: f, Start: p.Start, End: p.End, Sure: true})
		}
	}
	return refs
}

// onlyPlaceholders tells a text that says nothing once placeholders are gone.
func onlyPlaceholders(text string) bool {
	found := DetectPlaceholders(text)
	if len(found) == 0 {
		return false
	}
	var rest strings.Builder
	from := 0
	for _, p := range found {
		if p.Start >= from {
			rest.WriteString(text[from:p.Start])
			from = p.End
		}
	}
	rest.WriteString(text[from:])
	return !strings.ContainsFunc(rest.String(), unicode.IsLetter)
}
