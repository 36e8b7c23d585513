package judge

import (
	"cmp"
	"math"
	"slices"
)

// The three correlations below return nil where they are not defined: fewer
// than two points, or one side without any difference.

// Pearson is the product-moment correlation of two lists of equal length.
func Pearson(x, y []float64) *float64 {
	if len(x) < 2 || len(x) != len(y) {
		return nil
	}
	mx, my := mean(x), mean(y)
	var sxy, sxx, syy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxy += dx * dy
		sxx += dx * dx
		syy += dy * dy
	}
	if constant(x) || constant(y) || sxx == 0 || syy == 0 {
		return nil
	}
	r := sxy / math.Sqrt(sxx*syy)
	return &r
}

// Spearman is Pearson on ranks, ties sharing their average rank.
func Spearman(x, y []float64) *float64 { return Pearson(ranks(x), ranks(y)) }

// KendallB is Kendall's τ-b, which allows for ties on both sides. It sorts by x
// and counts the exchanges that a merge sort by y makes (Knight, "A Computer
// Method for Calculating Kendall's Tau with Ungrouped Data", 1966).
func KendallB(x, y []float64) *float64 {
	n := len(x)
	if n < 2 || n != len(y) {
		return nil
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	sorted := make([]float64, n)
	for i, at := range order {
		sorted[i] = y[at]
	}
	pairs := func(run int) float64 { return float64(run) * float64(run-1) / 2 }
	var tiedX, tiedBoth float64
	runX, runBoth := 1, 1
	for i := 1; i <= n; i++ {
		sameX := i < n && x[order[i]] == x[order[i-1]]
		if sameX && y[order[i]] == y[order[i-1]] {
			runBoth++
		} else {
			tiedBoth += pairs(runBoth)
			runBoth = 1
		}
		if sameX {
			runX++
		} else {
			tiedX += pairs(runX)
			runX = 1
		}
	}
	exchanges := mergeCount(sorted, make([]float64, n))
	var tiedY float64
	for i, run := 1, 1; i <= n; i++ {
		if i < n && sorted[i] == sorted[i-1] {
			run++
			continue
		}
		tiedY += pairs(run)
		run = 1
	}
	all := pairs(n)
	if all == tiedX || all == tiedY {
		return nil
	}
	tau := (all - tiedX - tiedY + tiedBoth - 2*exchanges) / math.Sqrt((all-tiedX)*(all-tiedY))
	return &tau
}

// mergeCount sorts a and returns how many pairs stood the wrong way round.
func mergeCount(a, spare []float64) float64 {
	if len(a) < 2 {
		return 0
	}
	half := len(a) / 2
	left, right := a[:half], a[half:]
	count := mergeCount(left, spare[:half]) + mergeCount(right, spare[half:])
	i, j := 0, 0
	for k := range spare {
		if j == len(right) || (i < len(left) && left[i] <= right[j]) {
			spare[k] = left[i]
			i++
			continue
		}
		spare[k] = right[j]
		j++
		count += float64(len(left) - i)
	}
	copy(a, spare)
	return count
}

// AUC is the probability that a positive has a higher score than a negative,
// ties counted half. nil without both kinds.
func AUC(scores []float64, positive []bool) *float64 {
	r := ranks(scores)
	var sum, pos float64
	for i, p := range positive {
		if p {
			sum += r[i]
			pos++
		}
	}
	neg := float64(len(scores)) - pos
	if pos == 0 || neg == 0 {
		return nil
	}
	auc := (sum - pos*(pos+1)/2) / (pos * neg)
	return &auc
}

// ranks from 1, ties sharing their average.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	r := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			r[order[k]] = float64(i+j+1) / 2
		}
		i = j
	}
	return r
}

func mean(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func constant(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}
