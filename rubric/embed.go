package rubric

import "embed"

//go:embed prompts
var promptFiles embed.FS
