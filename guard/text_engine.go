package guard

import "github.com/open-policy-agent/opa/v1/ast"

// modeMonitor is the mode of a rule that reports and does not decide.
const modeMonitor = "monitor"

// textEngine is what the policy needs of the text half.
type textEngine interface {
	scan(text string) ([]mark, textFeatures)
	rules() []RuleInfo
}

// mark is a finding with what the policy weighs it by.
type mark struct {
	Finding
	stance string // asserted | mentioned | quoted
	sight  string // plain | disguised | decoded | hidden
}

// textFeatures are the counts of a text, for the policy and for the API.
type textFeatures interface {
	value() ast.Value
	public() map[string]any
}

// Stances of a mark: what the text does with the words that matched.
const (
	stanceAsserted  = "asserted"  // said in earnest
	stanceMentioned = "mentioned" // talked about
	stanceQuoted    = "quoted"    // quoted, or given as an example
)

// Sights of a mark: how a reader comes to see it.
const (
	sightPlain     = "plain"     // as written
	sightDisguised = "disguised" // once look-alikes, invisible characters and spacing are undone
	sightDecoded   = "decoded"   // once an encoding is peeled off
	sightHidden    = "hidden"    // in comments, hidden elements, tag characters
)
