package judge

import (
	"time"

	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// Record is what is judged. An empty string is an empty field; what counts as
// empty is decided by Evaluate (white space and invisible characters do).
type Record struct {
	ID               string
	Prompt           string
	Input            string
	Output           string
	GoldenAnswer     string
	Context          []string
	RetrievalContext []string // a second, named context, judged whenever Context is
	Trace            []byte   // raw JSON, step_efficiency only
}

// Args are the arguments of a metric.
type Args struct {
	Definition    string
	Fields        []rubric.Field // nil selects all
	Steps         []string       // given by the caller, used as they are
	Strict        bool
	IncludeReason bool
	Samples       int // 0 leaves it to the model's default, else exact, 1..20
	Name          string
	Task          string // step_efficiency; "" extracts it from the trace
}

// Request is one evaluation: one record under one metric.
type Request struct {
	Tenant     string
	TenantData map[string]any
	Policy     *guard.Policy // the pinned revision
	Metric     string        // g_eval | step_efficiency
	Args       Args
	Record     Record
	Threshold  float64 // 0..100
	Model      model.Model
	Second     model.Model   // second safety reviewer; nil takes Model
	Timeout    time.Duration // of the whole evaluation; 0 takes the default of 120 s
	// AdaptiveSamples is the model's default where Args.Samples is 0: one
	// answer, and up to this many while the verdict is borderline. 0 and 1 ask
	// once.
	AdaptiveSamples int
}
