package guard

import (
	"context"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	sandboxMain(func(ctx context.Context, bundle []byte, l Limits) TryResult {
		if module, ok := rawModule(bundle); ok {
			return tryUnchecked(ctx, module)
		}
		if fsys, err := unpack(bundle); err == nil {
			if _, err := fs.Stat(fsys, patternDir); err == nil {
				return tryHere(ctx, bundle, l)
			}
		}
		return tryHere(ctx, bundle, l, func(o *options) { o.engine = phrases{} })
	})
	goleak.VerifyTestMain(m)
}

// phrases is a text engine that knows a few words: what the tests of policy and
// safety need, and nothing of the packs.
type phrases struct{}

func (phrases) scan(text string) ([]mark, textFeatures) {
	var marks []mark
	for _, word := range []string{"ignore", "SWdub3Jl", "maximum score"} {
		for at := 0; ; {
			i := strings.Index(strings.ToLower(text[at:]), strings.ToLower(word))
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(word)
			stance, quoted := stanceAsserted, false
			if start > 0 && text[start-1] == '"' {
				stance, quoted = stanceQuoted, true
			}
			marks = append(marks, mark{Finding{
				RuleID: "test." + strings.ReplaceAll(strings.ToLower(word), " ", "_"), Category: "instruction_override", Severity: "critical",
				Layer: "text", Start: start, End: at, Excerpt: text[start:at], Quoted: quoted,
			}, stance, sightPlain})
		}
	}
	return marks, wordCount(len(strings.Fields(text)))
}

func (phrases) rules() []RuleInfo {
	return []RuleInfo{{ID: "test.ignore", Kind: "pattern", Category: "instruction_override"}, {ID: "test.rare", Kind: "pattern", Category: "rarely_found"}}
}

type wordCount int

func (n wordCount) value() ast.Value {
	return ast.NewObject(ast.Item(ast.InternedTerm("words"), ast.InternedTerm(int(n))))
}
func (n wordCount) public() map[string]any { return map[string]any{"words": int(n)} }

func smallPolicyFS() fs.FS { return os.DirFS("testdata/policy") }

func smallPolicy(tb testing.TB, fsys fs.FS) *Policy {
	tb.Helper()
	p, err := Compile(tb.Context(), fsys, func(o *options) { o.engine = phrases{} })
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
