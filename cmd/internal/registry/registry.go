// Package registry keeps definitions by name and version, so that a run may
// name one ("tone@3") instead of writing it out.
//
// A version never changes: a new text under a name is a new version, the same
// text is the version it was. What was found out when it was registered stays
// with it. When the policy changes, versions are read by it again, without a
// model, and those that it would now refuse are marked; runs that are done stay
// as they are.
package registry

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bailiff/guard"
	"bailiff/rubric"
)

// ErrNotFound says that a tenant has no rubric of a name and version; another
// tenant's is not found either.
var ErrNotFound = errors.New("there is no registered rubric of this name and version")

// Version is one definition under a name. It is the tenant's own.
type Version struct {
	ID       string // ulid: later ones are greater
	TenantID string
	Name     string
	Number   int // 1, 2, … of the name

	Definition string
	Steps      []string       // of the caller's own, nil when there are none
	Fields     []rubric.Field // selected
	Sum        string         // Sum of the three

	Model     string         // that was asked about it
	Revision  string         // of the policy that admitted it
	Verdict   jsontext.Value // what was found out then, as it is shown
	CreatedAt time.Time
	CreatedBy string // key id

	Check Check
}

// Ref is how a run names the version.
func (v Version) Ref() string { return v.Name + "@" + strconv.Itoa(v.Number) }

// Check is what a policy revision makes of a version, as far as it can be told
// without a model.
type Check struct {
	Revision    string
	Decision    guard.Decision
	RuleIDs     []string
	Explanation string // for people, "" when it is allowed
	At          time.Time
}

// Refused reports whether the policy would now refuse the version.
func (c Check) Refused() bool { return c.Decision == guard.Deny }

// Entry is a name with its newest version.
type Entry struct {
	Name      string
	Versions  int
	CreatedAt time.Time // of the first
	Newest    Version   // without its verdict
}

// Store keeps versions.
type Store interface {
	// AddVersion keeps v under the next number of its name, unless the name has
	// a version of the same sum: that one is given, and added is false.
	AddVersion(ctx context.Context, v Version) (kept Version, added bool, err error)
	// VersionBySum is the version of a name with a sum, ErrNotFound when there
	// is none.
	VersionBySum(ctx context.Context, tenantID, name, sum string) (Version, error)
	Version(ctx context.Context, tenantID, name string, number int) (Version, error) // ErrNotFound
	// Versions are those of a name, newest first, with numbers below before; 0
	// begins with the newest.
	Versions(ctx context.Context, tenantID, name string, before, limit int) ([]Version, error)
	// Names are a tenant's, in order, greater than after.
	Names(ctx context.Context, tenantID, after string, limit int) ([]Entry, error)
	// Unchecked are versions of all tenants that another revision has checked
	// last, in order of id, greater than after.
	Unchecked(ctx context.Context, revision, after string, limit int) ([]Version, error)
	SetCheck(ctx context.Context, id string, c Check) error
}

// MaxName bounds a name, in bytes.
const MaxName = 100

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ValidName reports whether a text may name a rubric: letters, digits and
// . _ - , beginning with a letter or digit.
func ValidName(s string) bool { return len(s) <= MaxName && nameForm.MatchString(s) }

// ParseRef reads "name@version".
func ParseRef(s string) (name string, number int, ok bool) {
	name, digits, found := strings.Cut(s, "@")
	number, err := strconv.Atoi(digits)
	if !found || err != nil || number < 1 || strconv.Itoa(number) != digits || !ValidName(name) {
		return "", 0, false
	}
	return name, number, true
}

// Sum names what a version says: its definition, steps and fields, each after
// its length.
func Sum(definition string, steps []string, fields []rubric.Field) string {
	h := sha256.New()
	write := func(part string) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		_, _ = h.Write(size[:]) // a hash never fails
		_, _ = h.Write([]byte(part))
	}
	write(definition)
	write(strconv.Itoa(len(steps)))
	for _, s := range steps {
		write(s)
	}
	for _, f := range fields {
		write(string(f))
	}
	return hex.EncodeToString(h.Sum(nil))
}
