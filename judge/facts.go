package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Kinds of a Fact.
const (
	FactDuplicateCall    = "duplicate_call"      // the same call with the same input, though the first did not fail
	FactFailedThenRetry  = "failed_then_retried" // a call failed and its tool was called again
	FactUnusedResult     = "unused_result"       // nothing after it speaks of what it gave
	FactRepeatedResult   = "repeated_result"     // another call gave what was already known, word for word
	FactLoop             = "loop"                // a sequence of steps repeated without a change
	FactDeadEnd          = "dead_end"            // a call failed and nothing took its place
	minLoopRounds        = 3
	maxLoopLength        = 8
	maxFactsOfKind       = 50
	minDistinctiveLength = 3
	minRepeatedLength    = 16 // of a result in JSON; shorter ones ("ok", true) are alike by chance
)

// act is what facts are counted over: a step of the agent that calls
// something, with its input in one spelling.
type act struct {
	step  TraceStep
	input string // canonical
	key   string // type, name and input
}

// Facts counts in a trace what can be told without a model. Positions are those
// of the steps as shown, from 1; the texts are evidence, not a judgement.
func Facts(t Trace) []Fact {
	acts := actsOf(t)
	facts := []Fact{}
	for _, count := range []func([]act) []Fact{duplicates, retries, repeats, loops, deadEnds} {
		facts = append(facts, bounded(count(acts))...)
	}
	return append(facts, bounded(unused(t, acts))...)
}

func bounded(f []Fact) []Fact { return f[:min(len(f), maxFactsOfKind)] }

// actsOf are the calls of tools, retrievers and steps of unknown type. What the
// agent was given, what a model wrote and the spans around others call nothing.
func actsOf(t Trace) []act {
	var acts []act
	for _, s := range t.Steps {
		switch s.Type {
		case stepUser, stepSystem, stepLLM, stepAgent:
			continue
		}
		input := canonical(s.Input)
		acts = append(acts, act{step: s, input: input, key: s.Type + "\x00" + s.Name + "\x00" + input})
	}
	return acts
}

// canonical is a JSON value in one spelling: members sorted, no white space.
func canonical(v json.RawMessage) string {
	var value any
	dec := json.NewDecoder(bytes.NewReader(v))
	dec.UseNumber()
	if len(v) == 0 || dec.Decode(&value) != nil {
		return string(v)
	}
	b, err := json.Marshal(value)
	if err != nil {
		return string(v)
	}
	return string(b)
}

func duplicates(acts []act) []Fact {
	groups := map[string][]int{}
	succeeded := map[string]bool{}
	var order []string
	for _, a := range acts {
		if groups[a.key] == nil {
			order = append(order, a.key)
		}
		if succeeded[a.key] || len(groups[a.key]) == 0 {
			groups[a.key] = append(groups[a.key], a.step.Step)
		} else {
			groups[a.key] = []int{a.step.Step} // what came before had failed: this one is its retry
		}
		succeeded[a.key] = succeeded[a.key] || a.step.Error == ""
	}
	var facts []Fact
	for _, key := range order {
		if steps := groups[key]; len(steps) > 1 {
			name := strings.Split(key, "\x00")[1]
			facts = append(facts, Fact{Kind: FactDuplicateCall, Steps: steps, Text: fmt.Sprintf("%s was called %d times with the same input", name, len(steps))})
		}
	}
	return facts
}

func retries(acts []act) []Fact {
	var facts []Fact
	done := map[int]bool{}
	for i, a := range acts {
		if a.step.Error == "" || done[i] {
			continue
		}
		steps, same, ended := []int{a.step.Step}, true, false
		for j := i + 1; j < len(acts) && !ended; j++ {
			if acts[j].step.Name != a.step.Name || acts[j].step.Type != a.step.Type {
				continue
			}
			steps = append(steps, acts[j].step.Step)
			same = same && acts[j].input == a.input
			done[j], ended = true, acts[j].step.Error == ""
		}
		if len(steps) < 2 {
			continue
		}
		facts = append(facts, Fact{Kind: FactFailedThenRetry, Steps: steps, Text: retryText(a.step.Name, len(steps)-1, same, ended)})
	}
	return facts
}

func retryText(name string, again int, same, ended bool) string {
	with, end := "with another input", "and failed to the end"
	if same {
		with = "with the same input"
	}
	if ended {
		end = "and then worked"
	}
	return fmt.Sprintf("%s failed, was called again %s (%d more) %s", name, with, again, end)
}

// repeats finds a call with an input of its own whose result, as a whole, was
// there before.
func repeats(acts []act) []Fact {
	first := map[string]act{}
	var facts []Fact
	for _, a := range acts {
		output := canonical(a.step.Output)
		if a.step.Error != "" || len(output) < minRepeatedLength {
			continue
		}
		before, ok := first[output]
		if !ok {
			first[output] = a
			continue
		}
		if before.key != a.key {
			facts = append(facts, Fact{Kind: FactRepeatedResult, Steps: []int{before.step.Step, a.step.Step}, Text: fmt.Sprintf("%s gave the result that %s had given", a.step.Name, before.step.Name)})
		}
	}
	return facts
}

// loops finds the same sequence of calls, inputs included, at least three
// times in a row.
func loops(acts []act) []Fact {
	var facts []Fact
	for i := 0; i < len(acts); {
		length, rounds := loopAt(acts, i)
		if rounds < minLoopRounds {
			i++
			continue
		}
		var steps []int
		var names []string
		for k := i; k < i+length*rounds; k++ {
			steps = append(steps, acts[k].step.Step)
			if k < i+length {
				names = append(names, acts[k].step.Name)
			}
		}
		facts = append(facts, Fact{Kind: FactLoop, Steps: steps, Text: fmt.Sprintf("%s ran %d times in a row without a change", strings.Join(names, ", "), rounds)})
		i += length * rounds
	}
	return facts
}

// loopAt is the shortest sequence that begins at i and is repeated most.
func loopAt(acts []act, i int) (length, rounds int) {
	for n := 1; n <= maxLoopLength && i+n*minLoopRounds <= len(acts); n++ {
		r := 1
		for i+n*(r+1) <= len(acts) && sameActs(acts[i:i+n], acts[i+n*r:i+n*(r+1)]) {
			r++
		}
		if r >= minLoopRounds {
			return n, r
		}
	}
	return 0, 0
}

func sameActs(a, b []act) bool {
	return slices.EqualFunc(a, b, func(x, y act) bool { return x.key == y.key })
}

// deadEnds finds failures after which the same tool was not called again, and
// which were no retry of an earlier failure.
func deadEnds(acts []act) []Fact {
	var facts []Fact
	failed := map[string]bool{}
	for i, a := range acts {
		tool := a.step.Type + "\x00" + a.step.Name
		again := failed[tool]
		failed[tool] = a.step.Error != ""
		if a.step.Error == "" || again || slices.ContainsFunc(acts[i+1:], func(b act) bool { return b.step.Name == a.step.Name && b.step.Type == a.step.Type }) {
			continue
		}
		facts = append(facts, Fact{Kind: FactDeadEnd, Steps: []int{a.step.Step}, Text: a.step.Name + " failed and was not called again"})
	}
	return facts
}

// unused finds results of which nothing comes up again: no value or longer
// word of the output that the call did not already hold is in any later step.
func unused(t Trace, acts []act) []Fact {
	words := wordsOf(t)
	later := laterWords(t, words)
	lastOther := lastOtherStep(t, acts)
	var facts []Fact
	for _, a := range acts {
		if a.step.Error != "" || a.step.Output == nil || lastOther[a.key] <= a.step.Step {
			continue // the end of a trace, or the same call again, uses nothing
		}
		own := words[a.step.Step-1]
		fresh, used := 0, false
		for w := range own.output {
			if own.input[w] {
				continue
			}
			fresh++
			used = used || later[w] >= a.step.Step
		}
		if fresh > 0 && !used {
			facts = append(facts, Fact{Kind: FactUnusedResult, Steps: []int{a.step.Step}, Text: "nothing after " + a.step.Name + " uses what it gave"})
		}
	}
	return facts
}

// stepWords are the distinctive words of a step's input and output.
type stepWords struct{ input, output map[string]bool }

func wordsOf(t Trace) []stepWords {
	words := make([]stepWords, len(t.Steps))
	for i, s := range t.Steps {
		words[i] = stepWords{distinctive(readable(s.Input)), distinctive(readable(s.Output))}
	}
	return words
}

// laterWords is, for each distinctive word, the index of the last step that
// holds it in an input, or in the output of a model: that is where a result is
// used. A tool that returns the same again does not use it. A span around
// other steps began before them and ends with the answer.
func laterWords(t Trace, words []stepWords) map[string]int {
	last := map[string]int{}
	for i, s := range t.Steps {
		for w := range words[i].input {
			last[w] = max(last[w], i)
		}
		at := i
		switch s.Type {
		case stepAgent:
			at = len(t.Steps)
		case stepLLM:
		default:
			continue
		}
		for w := range words[i].output {
			last[w] = max(last[w], at)
		}
	}
	return last
}

// lastOtherStep is, for each call, the position of the last step of the agent
// that is not this same call.
func lastOtherStep(t Trace, acts []act) map[string]int {
	keys := make([]string, len(t.Steps))
	for _, a := range acts {
		keys[a.step.Step-1] = a.key
	}
	last, before := 0, 0 // the last step, and the last one that is another call than it
	for i, s := range slices.Backward(t.Steps) {
		switch {
		case s.given():
		case last == 0:
			last = i + 1
		case before == 0 && keys[i] != keys[last-1]:
			before = i + 1
		}
	}
	by := map[string]int{}
	for _, a := range acts {
		by[a.key] = last
		if last > 0 && keys[last-1] == a.key {
			by[a.key] = before
		}
	}
	return by
}

// distinctive are the words of a text by which it can be known again: words of
// three characters or more and numbers of two, in lower case, each once. Names of
// members are words too; they are shared by many results and told apart by
// the values beside them.
func distinctive(text string) map[string]bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '.' && r != '-' && r != '_'
	})
	kept := map[string]bool{}
	for _, w := range words {
		w = strings.Trim(w, ".-_")
		short := len(w) < minDistinctiveLength && (len(w) < 2 || !strings.ContainsAny(w, "0123456789"))
		if !short && !commonWords[w] {
			kept[w] = true
		}
	}
	return kept
}

// commonWords say nothing about where a text came from.
var commonWords = map[string]bool{
	"the": true, "and": true, "for": true, "you": true, "are": true, "was": true, "with": true, "that": true, "this": true, "from": true,
	"has": true, "have": true, "not": true, "but": true, "all": true, "can": true, "will": true, "its": true, "our": true, "your": true,
	"true": true, "false": true, "null": true, "none": true, "name": true, "type": true, "text": true, "content": true, "result": true,
	"results": true, "status": true, "data": true, "value": true, "date": true, "message": true, "items": true, "role": true, "parts": true, "success": true,
}
