package guard

import "slices"

// wordTree holds words by their bytes, to read words off the start of joined
// letters. It is built once and then only read.
type wordTree struct {
	building []map[byte]int32
	ranks    []wordRank // of the word that ends at a node, 0: none
	first    []int32    // node to its first edge; one more than there are nodes
	labels   []byte
	to       []int32
}

func newWordTree() wordTree {
	return wordTree{building: []map[byte]int32{{}}, ranks: []wordRank{0}}
}

func (t *wordTree) add(word string, rank wordRank) {
	node := int32(0)
	for i := 0; i < len(word); i++ {
		next, ok := t.building[node][word[i]]
		if !ok {
			next = int32(len(t.building))
			t.building[node][word[i]] = next
			t.building = append(t.building, map[byte]int32{})
			t.ranks = append(t.ranks, 0)
		}
		node = next
	}
	t.ranks[node] = max(t.ranks[node], rank)
}

// freeze lays the edges out in one array.
func (t *wordTree) freeze() {
	for _, edges := range t.building {
		t.first = append(t.first, int32(len(t.labels)))
		labels := make([]byte, 0, len(edges))
		for c := range edges {
			labels = append(labels, c)
		}
		slices.Sort(labels)
		for _, c := range labels {
			t.labels = append(t.labels, c)
			t.to = append(t.to, edges[c])
		}
	}
	t.first = append(t.first, int32(len(t.labels)))
	t.building = nil
}

// step follows one byte, -1 where no word goes on.
func (t *wordTree) step(node int32, c byte) int32 {
	for i := t.first[node]; i < t.first[node+1]; i++ {
		if t.labels[i] >= c {
			if t.labels[i] == c {
				return t.to[i]
			}
			return -1
		}
	}
	return -1
}

// cut is a stretch of letters that reads as one word, or as none.
type cut struct {
	start, end int
	rank       wordRank // 0: no word
}

// Costs of reading letters: few long words beat many short ones, any word beats
// letters that belong to none.
const (
	costWord   = 10
	costShort  = 16 // a word of one or two letters
	costLetter = 14 // a letter that belongs to no word
)

// divide reads joined canonical letters as words, at the least cost.
func (t *wordTree) divide(letters string) []cut {
	n := len(letters)
	cost := make([]int32, n+1)
	from := make([]int32, n+1) // start of the cut that ends here; negative: no word
	ranks := make([]wordRank, n+1)
	for i := 1; i <= n; i++ {
		cost[i] = 1 << 30
	}
	for i := range n {
		if c := cost[i] + costLetter; c < cost[i+1] {
			cost[i+1], from[i+1], ranks[i+1] = c, int32(i), 0
		}
		node := int32(0)
		for j := i; j < n; j++ {
			if node = t.step(node, letters[j]); node < 0 {
				break
			}
			if r := t.ranks[node]; r > 0 {
				c := cost[i] + costWord - int32(r)
				if j-i < 2 {
					c = cost[i] + costShort
				}
				if c < cost[j+1] {
					cost[j+1], from[j+1], ranks[j+1] = c, int32(i), r
				}
			}
		}
	}
	var cuts []cut
	for i := n; i > 0; i = int(from[i]) {
		c := cut{int(from[i]), i, ranks[i]}
		if k := len(cuts); k > 0 && c.rank == 0 && cuts[k-1].rank == 0 {
			cuts[k-1].start = c.start
			continue
		}
		cuts = append(cuts, c)
	}
	slices.Reverse(cuts)
	return cuts
}
