package judge

import (
	"context"
	"errors"
	"math"
	"sync"

	"golang.org/x/sync/errgroup"

	"bailiff/judge/model"
)

// Bounds of one score answer, in tokens. An answer that was cut is asked for
// once more with the larger one.
const (
	answerTokens     = 2048
	answerTokensMore = 8192
)

// parallelSamples bounds the answers of one evaluation that are asked for at
// once.
const parallelSamples = 4

// question is what the judge is asked about one record.
type question struct {
	prompt    prompt
	data      any
	empty     []string // shown fields that are empty
	zeroToOne bool     // the definition names a scale of 0 to 1
}

// sample is one answer that could be used, on the judge's scale.
type sample struct {
	answer answer
	dist   distribution
	reason string // why it is not weighted, "" when it is
	reply  model.Reply
}

// value is the sample's score on the judge's scale.
func (s sample) value() float64 {
	if s.reason == "" {
		return s.dist.mean
	}
	return s.answer.number.value
}

// askScore is the last stage of every metric.
func askScore(ctx context.Context, e *evaluation) bool {
	leave := e.enter(stageScore)
	m, _ := metricByName(e.req.Metric)
	q, err := m.question(e)
	if err != nil {
		leave("error", "")
		e.fail(faultOf(ctx, stageScore, err, 0))
		return false
	}
	e.out.Meta.PromptVersion = q.prompt.version()
	a := &asker{e: e, q: q, scale: scaleOf(e.req.Model)}
	samples, err := a.samples(ctx)
	if err != nil {
		leave("error", e.req.Model.Name())
		e.fail(faultOf(ctx, stageScore, err, a.attempts))
		return false
	}
	leave("ok", e.req.Model.Name())
	e.score(samples, a.scale)
	return true
}

// scaleOf is the upper end of the judge's scale: 10, or 100 by configuration.
func scaleOf(m model.Model) int {
	if s := m.Info().Scale; s > 0 {
		return s
	}
	return 10
}

// asker asks one question, as often as it takes.
type asker struct {
	e     *evaluation
	q     question
	scale int

	mu       sync.Mutex
	attempts int
}

// samples asks for as many answers as the caller wants: exactly that many when
// the request says so. Otherwise one, and where the model's configuration
// allows more, further ones only while the verdict is borderline. One answer
// that cannot be had fails the evaluation: a mean over fewer is another number
// than the one asked for.
func (a *asker) samples(ctx context.Context) ([]sample, error) {
	first, err := a.ask(ctx, false)
	if err != nil {
		return nil, err
	}
	samples := []sample{first}
	if n := a.e.req.Args.Samples; n > 0 {
		return a.more(ctx, samples, n)
	}
	for _, n := range []int{min(3, a.e.req.AdaptiveSamples), a.e.req.AdaptiveSamples} {
		if n <= len(samples) || !a.close(samples) {
			continue
		}
		if samples, err = a.more(ctx, samples, n); err != nil {
			return nil, err
		}
	}
	return samples, nil
}

// more asks for answers until there are n.
func (a *asker) more(ctx context.Context, samples []sample, n int) ([]sample, error) {
	have := len(samples)
	if n <= have {
		return samples, nil
	}
	samples = append(samples, make([]sample, n-have)...)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallelSamples)
	for i := have; i < n; i++ {
		group.Go(func() error {
			s, err := a.ask(ctx, true)
			samples[i] = s
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return samples, nil
}

// close reports whether another answer could change the verdict. One number
// without weights has no interval; it is close within one mark of the scale.
func (a *asker) close(samples []sample) bool {
	v := summarise(samples, a.scale, a.e.out.Threshold)
	if v.spread == nil {
		return math.Abs(v.mean-a.e.out.Threshold) <= 100/float64(a.scale)
	}
	return v.borderline
}

// ask gets one usable answer. An answer that cannot be used is asked for once
// more, naming the mistake; one that was cut, once more with a larger bound.
func (a *asker) ask(ctx context.Context, further bool) (sample, error) {
	var corrected, enlarged bool
	tokens, told := answerTokens, ""
	for {
		s, err := a.once(ctx, further, tokens, told)
		if err == nil {
			return s, nil
		}
		wrong, isMistake := errors.AsType[*mistakeError](err)
		switch code := codeOf(ctx, err); {
		case isMistake && !corrected && ctx.Err() == nil:
			corrected, told = true, wrong.text
		case isMistake:
			return sample{}, &model.Error{Code: model.CodeMalformed, Detail: wrong.text}
		case code == model.CodeMalformed && !corrected:
			corrected, told = true, "it was not one JSON object of the form asked for."
		case code == model.CodeTruncated && !enlarged:
			enlarged, tokens = true, answerTokensMore
		default:
			return sample{}, err
		}
	}
}

// once makes one call and reads its answer.
func (a *asker) once(ctx context.Context, further bool, tokens int, told string) (sample, error) {
	message, err := user("Judge the material in the block.", a.q.empty, a.q.data, told)
	if err != nil {
		return sample{}, err
	}
	reply, err := a.e.meter.Chat(ctx, model.Request{
		Stage:     a.q.prompt.stage,
		System:    a.q.prompt.system(a.scale),
		User:      message,
		Schema:    a.q.prompt.schema(),
		Logprobs:  !a.strict(),
		Sample:    further,
		MaxTokens: tokens,
	})
	if err != nil {
		a.count(attemptsOf(err))
		return sample{}, err
	}
	a.count(reply.Attempts)
	s, wrong := a.read(reply)
	if wrong != nil {
		return sample{}, wrong
	}
	return s, nil
}

func (a *asker) strict() bool { return a.q.prompt.stage == "strict" }

func (a *asker) count(attempts int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.attempts += attempts
}

// read finds the score in a reply.
func (a *asker) read(reply model.Reply) (sample, *mistakeError) {
	s := sample{reply: reply}
	if a.strict() {
		answer, wrong := readStrict(reply.Object)
		answer.number = number{value: verdictValue(answer.verdict, a.scale)}
		s.answer, s.reason = answer, ReasonStrict
		return s, wrong
	}
	var wrong *mistakeError
	if s.answer, wrong = readScore(reply.Object, a.scale); wrong != nil {
		return s, wrong
	}
	n := s.answer.number
	if a.q.zeroToOne && n.value > 0 && n.value < 1 {
		return s, mistake("score lies between 0 and 1, as on a scale that the definition names; it has to be a whole number from 0 to %d.", a.scale)
	}
	if !n.integer {
		s.reason = ReasonDecimal
		return s, nil
	}
	s.dist, s.reason = weigh(reply.Content, reply.ObjectStart+n.start, reply.ObjectStart+n.end, reply.Tokens, a.scale)
	return s, nil
}

func verdictValue(verdict string, scale int) float64 {
	if verdict == "pass" {
		return float64(scale)
	}
	return 0
}
