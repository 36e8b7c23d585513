package rubric

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"

	"bailiff/guard"
)

// parserVersion changes whenever the same answers of the same models would
// lead to other steps: the span check, the exclusions, the field words.
const parserVersion = "1"

// schemaVersion changes with the form of a kept entry.
const schemaVersion = "1"

// StepID names a step by its text: the first 16 hex digits of its SHA-256.
func StepID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// identity names a request: key for the caches, with the tenant in it, and
// signature for people, without.
type identity struct {
	key       string // 64 hex digits
	signature string // 24 hex digits, "" for steps that the caller gave
}

func identify(req Request) identity {
	common := partsOf(req)
	id := identity{key: hex.EncodeToString(digest(slices.Concat(
		[]string{"tenant", req.Tenant, "tenant data", canonicalJSON(req.TenantData)}, common,
	)))}
	if len(req.Steps) == 0 {
		id.signature = hex.EncodeToString(digest(append([]string{"signature"}, common...))[:12])
	}
	return id
}

// partsOf is everything but the tenant that decides what becomes of a request.
// Lists are preceded by their length.
func partsOf(req Request) []string {
	parts := []string{
		"schema", schemaVersion, "parser", parserVersion,
		"policy", revisionOf(req.Policy),
		"definition", req.Definition,
		"models", modelName(req.Model), modelName(req.Second),
	}
	parts = append(parts, "steps", count(len(req.Steps)))
	parts = append(parts, req.Steps...)
	parts = append(parts, "fields", count(len(req.Fields)))
	for _, f := range req.Fields {
		parts = append(parts, string(f))
	}
	return append(parts, promptParts()...)
}

// promptParts are the versions of every prompt that decides about a
// definition. They are compiled in, so they are read once.
var promptParts = sync.OnceValue(func() []string {
	var parts []string
	for _, versions := range []map[string]string{guard.PromptVersions(), PromptVersions()} {
		for _, name := range slices.Sorted(maps.Keys(versions)) {
			parts = append(parts, "prompt", name, versions[name])
		}
	}
	return parts
})

// digest hashes parts, each after its length, so that no two lists share a
// digest by where they are cut.
func digest(parts []string) []byte {
	h := sha256.New()
	for _, p := range parts {
		writePart(h, p)
	}
	return h.Sum(nil)
}

func writePart(h hash.Hash, part string) {
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(len(part)))
	_, _ = h.Write(size[:]) // a hash never fails
	_, _ = h.Write([]byte(part))
}

func revisionOf(p *guard.Policy) string {
	if p == nil {
		return ""
	}
	return p.Revision()
}

func modelName(m guard.Model) string {
	if m == nil {
		return ""
	}
	return m.Name()
}

func count(n int) string { return strconv.Itoa(n) }

// canonicalJSON renders a tenant's data with its members in order. Data that
// is no JSON cannot reach a policy either; it gets a key of its own.
func canonicalJSON(data map[string]any) string {
	if len(data) == 0 {
		return ""
	}
	b, err := json.Marshal(data, json.Deterministic(true))
	if err != nil {
		return "not JSON: " + err.Error()
	}
	return string(b)
}
