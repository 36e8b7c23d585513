package tenant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bailiff/cmd/internal/tenant"
)

func TestPolicyFacts(t *testing.T) {
	for _, tt := range []struct {
		data         map[string]any
		isRegistered bool
		want         map[string]any
	}{
		{nil, true, nil},
		{map[string]any{"max_words": 9}, true, map[string]any{"max_words": 9}},
		{map[string]any{"registered_only": true}, true, map[string]any{"registered_only": true, "registered": true}},
		{map[string]any{"registered_only": true}, false, map[string]any{"registered_only": true}},
		{map[string]any{"registered_only": true, "registered": true}, false, map[string]any{"registered_only": true}},
		{map[string]any{"registered": true}, false, map[string]any{}},
	} {
		before := len(tt.data)
		if diff := cmp.Diff(tt.want, tenant.PolicyFacts(tt.data, tt.isRegistered)); diff != "" {
			t.Errorf("%v registered %v: %s", tt.data, tt.isRegistered, diff)
		}
		if len(tt.data) != before {
			t.Errorf("%v was changed", tt.data)
		}
	}
}
