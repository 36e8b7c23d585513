package guard

import _ "embed"

//go:embed prompts/safety.system.txt
var safetySystem string

//go:embed prompts/safety.user.txt
var safetyUser string

//go:embed prompts/safety2.system.txt
var safety2System string

//go:embed prompts/safety2.user.txt
var safety2User string

//go:embed prompts/safety.schema.json
var safetySchema []byte
