package api

import (
	"github.com/go-json-experiment/json"

	"bailiff/cmd/internal/run"
	"bailiff/judge"
)

// row reads one row of data.
func (b bodies) row(r *reader, v *value) run.Record {
	o := r.object(v)
	if o == nil {
		return run.Record{}
	}
	defer o.done()
	rec, shown := b.record(r, o)
	if id, ok := r.text(o.optional("id"), maxName); ok {
		rec.ID, shown.ID = id, id
	}
	if m := o.optional("metadata"); m != nil {
		if m.kind == '{' {
			shown.Metadata = m.encode()
		} else {
			r.wrongType(m, "an object")
		}
	}
	return keep(rec, shown)
}

// record reads the judged members of an object.
func (b bodies) record(r *reader, o *object) (judge.Record, Record) {
	var (
		rec   judge.Record
		shown Record
	)
	for _, f := range []struct {
		name  string
		to    *string
		shown **string
	}{
		{"prompt", &rec.Prompt, &shown.Prompt},
		{"input", &rec.Input, &shown.Input},
		{"output", &rec.Output, &shown.Output},
		{"golden_answer", &rec.GoldenAnswer, &shown.GoldenAnswer},
	} {
		if s, ok := r.text(o.optional(f.name), b.limits.Field); ok {
			*f.to, *f.shown = s, &s
		}
	}
	if c := o.optional("context"); c != nil {
		rec.Context = b.context(r, c)
		shown.Context = c.encode()
	}
	if t := o.optional("trace"); t != nil {
		rec.Trace = b.trace(r, t)
		shown.Trace = rec.Trace
	}
	return rec, shown
}

// context reads a text or a list of texts.
func (b bodies) context(r *reader, v *value) []string {
	if v.kind == '"' {
		if s, ok := r.text(v, b.limits.Field); ok {
			return []string{s}
		}
		return nil
	}
	if v.kind != '[' {
		r.wrongType(v, "text or a list of texts")
		return nil
	}
	texts := r.texts(v, maxContext, b.limits.Field)
	total := 0
	for _, t := range texts {
		total += len(t)
	}
	if total > 4*b.limits.Field {
		r.errorf(v.pointer, codeTooLong, "has %d bytes in all; at most %d are allowed", total, 4*b.limits.Field)
	}
	return texts
}

// trace carries an agent's trace: what is in it is read by the judge.
func (b bodies) trace(r *reader, v *value) []byte {
	if v.kind != '[' && v.kind != '{' {
		r.wrongType(v, "a list of steps or messages, or an OTLP object")
		return nil
	}
	text := v.encode()
	if len(text) > 4*b.limits.Field {
		r.errorf(v.pointer, codeTooLong, "has %d bytes; at most %d are allowed", len(text), 4*b.limits.Field)
		return nil
	}
	return text
}

// keep joins what is judged with what is shown.
func keep(rec judge.Record, shown Record) run.Record {
	text, err := json.Marshal(shown, json.Deterministic(true))
	if err != nil { // texts were checked when they were read
		text = []byte("{}")
	}
	return run.Record{Judged: rec, Shown: text}
}
