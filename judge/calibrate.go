package judge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap of the best threshold. The seed is fixed, so that the same answers
// give the same interval.
const (
	bootstrapRounds = 1000
	bootstrapSeed   = 20240601
	// maxBootstrapWork bounds rounds × points; more points take fewer rounds.
	maxBootstrapWork = 20_000_000
)

// Bounds at which a judge's scores hardly tell records apart.
const (
	lowEntropyBits = 0.5
	highModalShare = 0.9
)

// Labelled is one judged item with what people said about it.
type Labelled struct {
	Doc   string  // groups the per-document correlations; "" puts it in none
	Score float64 // of the judge
	Human float64 // on any scale
}

// Agreement says how far a judge agrees with people. Pointers are nil where a
// figure is not defined. Correlations per document are means over the
// documents in which both sides differ at all; Docs counts those.
type Agreement struct {
	N               int        `json:"n"`
	Docs            int        `json:"docs"`
	DatasetPearson  *float64   `json:"dataset_pearson"`
	DatasetSpearman *float64   `json:"dataset_spearman"`
	DatasetKendallB *float64   `json:"dataset_kendall_b"`
	DocPearson      *float64   `json:"doc_pearson"`
	DocSpearman     *float64   `json:"doc_spearman"`
	DocKendallB     *float64   `json:"doc_kendall_b"`
	Mean            *float64   `json:"mean"`
	HumanMean       *float64   `json:"human_mean"`
	Bias            *float64   `json:"bias"` // Mean − HumanMean, in the units given
	Distinct        int        `json:"distinct_scores"`
	Ties            *float64   `json:"ties"`         // share of pairs with the same score
	EntropyBits     *float64   `json:"entropy_bits"` // Shannon entropy of the scores
	AUC             *float64   `json:"auc"`          // against Human ≥ HumanCut
	HumanCut        *float64   `json:"human_cut"`
	BestThreshold   *Threshold `json:"best_threshold"`
	Warnings        []string   `json:"warnings"`
}

// Threshold is the cut of the score that best tells the two kinds of items
// apart, with the interval in which 95 % of resampled cuts lie.
type Threshold struct {
	Value    float64 `json:"value"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Balanced float64 `json:"balanced_accuracy"` // mean of sensitivity and specificity at Value
}

// CalibrateOptions choose what counts as good in the eyes of people.
type CalibrateOptions struct {
	// HumanCut makes an item positive when Human ≥ HumanCut. nil takes the
	// middle between the least and the greatest label.
	HumanCut *float64
}

// Calibrate compares a judge's scores with labels of people.
func Calibrate(items []Labelled, opt CalibrateOptions) Agreement {
	a := Agreement{N: len(items), Warnings: []string{}}
	if len(items) == 0 {
		return a
	}
	scores, humans := make([]float64, len(items)), make([]float64, len(items))
	for i, item := range items {
		scores[i], humans[i] = item.Score, item.Human
	}
	a.DatasetPearson = round6(Pearson(scores, humans))
	a.DatasetSpearman = round6(Spearman(scores, humans))
	a.DatasetKendallB = round6(KendallB(scores, humans))
	a.perDocument(items)
	ms, mh := mean(scores), mean(humans)
	bias := ms - mh
	a.Mean, a.HumanMean, a.Bias = round6(&ms), round6(&mh), round6(&bias)
	a.shape(scores)
	a.cut(scores, humans, opt)
	a.warn()
	return a
}

// perDocument averages the correlations within each document. A document
// whose labels or scores are all equal says nothing about order and is left out.
func (a *Agreement) perDocument(items []Labelled) {
	type pair struct{ score, human []float64 }
	docs := map[string]*pair{}
	var names []string
	for _, item := range items {
		if item.Doc == "" {
			continue
		}
		d := docs[item.Doc]
		if d == nil {
			d = &pair{}
			docs[item.Doc] = d
			names = append(names, item.Doc)
		}
		d.score, d.human = append(d.score, item.Score), append(d.human, item.Human)
	}
	var pearson, spearman, kendall float64
	for _, name := range names {
		d := docs[name]
		p := Pearson(d.score, d.human)
		if p == nil {
			continue
		}
		a.Docs++
		pearson += *p
		spearman += *Spearman(d.score, d.human)
		kendall += *KendallB(d.score, d.human)
	}
	if a.Docs == 0 {
		return
	}
	n := float64(a.Docs)
	pearson, spearman, kendall = pearson/n, spearman/n, kendall/n
	a.DocPearson, a.DocSpearman, a.DocKendallB = round6(&pearson), round6(&spearman), round6(&kendall)
}

// shape says how much the scores differ among themselves.
func (a *Agreement) shape(scores []float64) {
	counts := map[float64]int{}
	for _, s := range scores {
		counts[s]++
	}
	a.Distinct = len(counts)
	n := float64(len(scores))
	var entropy, tied float64
	for _, value := range slices.Sorted(maps.Keys(counts)) { // in order: sums of floats depend on it
		c := float64(counts[value])
		entropy -= c / n * math.Log2(c/n)
		tied += c * (c - 1)
	}
	a.EntropyBits = round6(&entropy)
	if n > 1 {
		tied /= n * (n - 1)
		a.Ties = round6(&tied)
	}
	if most := float64(slices.Max(slices.Collect(maps.Values(counts)))) / n; most >= highModalShare && n > 1 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%.0f %% of the scores are the same number: the mean says nothing about the judge", 100*most))
	}
}

// cut finds the threshold that best separates what people call good.
func (a *Agreement) cut(scores, humans []float64, opt CalibrateOptions) {
	at := (slices.Min(humans) + slices.Max(humans)) / 2
	if opt.HumanCut != nil {
		at = *opt.HumanCut
	}
	positive := make([]bool, len(humans))
	for i, h := range humans {
		positive[i] = h >= at
	}
	a.AUC = round6(AUC(scores, positive))
	if a.AUC == nil {
		return
	}
	a.HumanCut = &at
	c := cutter(scores, positive)
	value, balanced := c.best(nil)
	low, high := c.bootstrap(value)
	a.BestThreshold = &Threshold{Value: value, Low: low, High: high, Balanced: *round6(&balanced)}
}

// scoredLabels are scores in order with the side each label is on.
type scoredLabels struct {
	scores   []float64
	positive []bool
}

func cutter(scores []float64, positive []bool) scoredLabels {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scores[i], scores[j]) })
	var c scoredLabels
	for _, i := range order {
		c.scores, c.positive = append(c.scores, scores[i]), append(c.positive, positive[i])
	}
	return c
}

// best is the score at which "score ≥ cut" has the highest balanced accuracy;
// of several, the middle one. counts says how often each item is taken, nil
// means once. The accuracy is NaN when only one side was taken.
func (c scoredLabels) best(counts []int) (cut, balanced float64) {
	taken := func(i int) float64 {
		if counts == nil {
			return 1
		}
		return float64(counts[i])
	}
	var pos, neg float64
	for i, p := range c.positive {
		if p {
			pos += taken(i)
		} else {
			neg += taken(i)
		}
	}
	if pos == 0 || neg == 0 {
		return 0, math.NaN()
	}
	var posBelow, negBelow float64
	best := -1.0
	var cuts []float64
	for i := 0; i < len(c.scores); {
		v := c.scores[i]
		switch b := ((pos-posBelow)/pos + negBelow/neg) / 2; {
		case b > best+1e-12:
			best, cuts = b, append(cuts[:0], v)
		case b > best-1e-12:
			cuts = append(cuts, v)
		}
		for ; i < len(c.scores) && c.scores[i] == v; i++ {
			if c.positive[i] {
				posBelow += taken(i)
			} else {
				negBelow += taken(i)
			}
		}
	}
	return cuts[len(cuts)/2], best
}

// bootstrap is the 95 % percentile interval of the best cut over resamples.
func (c scoredLabels) bootstrap(value float64) (low, high float64) {
	n := len(c.scores)
	rounds := max(50, min(bootstrapRounds, maxBootstrapWork/n))
	rng := rand.New(rand.NewPCG(bootstrapSeed, uint64(n))) //nolint:gosec // a reproducible interval, not a secret
	counts := make([]int, n)
	var cuts []float64
	for range rounds {
		clear(counts)
		for range n {
			counts[rng.IntN(n)]++
		}
		if cut, balanced := c.best(counts); !math.IsNaN(balanced) {
			cuts = append(cuts, cut)
		}
	}
	if len(cuts) == 0 {
		return value, value
	}
	slices.Sort(cuts)
	at := func(q float64) float64 { return cuts[int(q*float64(len(cuts)-1)+0.5)] }
	return at(0.025), at(0.975)
}

func (a *Agreement) warn() {
	if a.N > 1 && *a.EntropyBits < lowEntropyBits {
		a.Warnings = append(a.Warnings, fmt.Sprintf("the scores hold %.2f bits: this judge hardly tells the records apart", *a.EntropyBits))
	}
	if a.N < 30 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%d items are too few for figures to be relied on", a.N))
	}
	if a.BestThreshold == nil {
		a.Warnings = append(a.Warnings, "all labels lie on one side of the cut, so there is no threshold and no AUC")
	}
}

func round6(x *float64) *float64 {
	if x == nil {
		return nil
	}
	r := math.Round(*x*1e6) / 1e6
	return &r
}
