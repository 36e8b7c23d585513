package guard

import "embed"

// engineSource is the code that reads texts and asks the policy, with the
// tables it reads by. It decides as much as the policy does, so a revision
// names its bytes as well, and nobody has to remember to count a version up.
//
//go:embed *.go *.bloom
var engineSource embed.FS
