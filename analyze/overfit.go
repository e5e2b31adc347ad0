package analyze

import (
	"math"
	"math/bits"
	"runtime"
	"sync"
)

// OverfitBlocks is the number of blocks of time that OverfitProbability divides.
const OverfitBlocks = 16

const (
	halfBlocks = OverfitBlocks / 2
	subsets    = 1 << halfBlocks // of half of the blocks
)

// OverfitProbability is the probability of backtest overfitting by combinatorially
// symmetric cross-validation (Bailey, Borwein, López de Prado and Zhu 2017, "The
// Probability of Backtest Overfitting", Journal of Computational Finance 20(4)): of all
// 12,870 ways to take eight of sixteen blocks of time for the choice, the share in which
// the trial with the highest Sharpe ratio ranks no better than the median in the other
// eight. returns has the returns of each trial on the same days; rows at the end that do
// not fill sixteen blocks are left out. Trials that tie share a rank. A trial without a
// ratio in a half, because its returns do not vary, is never the best there, and ranks
// last. The result is NaN for fewer than two trials or fewer than 32 rows, and if no trial
// ever has a ratio. It panics if the trials differ in length.
//
// The ratios of a half follow from the sums of its blocks, so a split costs two additions
// a trial.
func OverfitProbability(returns [][]float64) float64 {
	if len(returns) < 2 || len(returns[0]) < 2*OverfitBlocks {
		return math.NaN()
	}
	h := halvesOf(returns)
	var wait sync.WaitGroup
	counts := make([]splits, min(runtime.GOMAXPROCS(0), subsets))
	for w := range counts {
		wait.Go(func() {
			c := &counts[w]
			one, other := make([]float64, len(returns)), make([]float64, len(returns))
			for low := w; low < subsets; low += len(counts) {
				for high := range subsets / 2 { // without the last block, so that each pair of halves comes once
					if bits.OnesCount(uint(low))+bits.OnesCount(uint(high)) != halfBlocks {
						continue
					}
					h.ratios(one, low, high)
					h.ratios(other, subsets-1-low, subsets-1-high)
					c.split(one, other)
					c.split(other, one)
				}
			}
		})
	}
	wait.Wait()
	poor, all := 0, 0
	for _, c := range counts {
		poor, all = poor+c.poor, all+c.all
	}
	if all == 0 {
		return math.NaN()
	}
	return float64(poor) / float64(all)
}

// splits counts ways to choose.
type splits struct{ poor, all int }

// split chooses the best trial inside, and looks at its rank outside.
func (c *splits) split(inside, outside []float64) {
	best := bestOf(inside)
	if best < 0 {
		return
	}
	c.all++
	if belowMedian(outside, best) {
		c.poor++
	}
}

// halves has the sums over all subsets of the first and of the last eight blocks, of each
// trial's returns less their mean, and of the squares of that.
type halves struct {
	rows          float64 // in eight blocks
	means         []float64
	sums, squares [2][subsets][]float64
	least         []float64 // variance that counts as none
}

func halvesOf(returns [][]float64) *halves {
	n := len(returns)
	size := len(returns[0]) / OverfitBlocks
	h := &halves{rows: float64(size * halfBlocks), means: make([]float64, n), least: make([]float64, n)}
	for half := range 2 {
		for s := range subsets {
			memory := make([]float64, 2*n)
			h.sums[half][s], h.squares[half][s] = memory[:n:n], memory[n:]
		}
	}
	for i, r := range returns {
		if len(r) != len(returns[0]) {
			panic("analyze: trials of different lengths")
		}
		r = r[:size*OverfitBlocks]
		mean, most := 0.0, 0.0
		for _, v := range r {
			mean, most = mean+v, max(most, math.Abs(v))
		}
		mean /= float64(len(r))
		h.means[i], h.least[i] = mean, 1e-24*most*most
		for b := range OverfitBlocks {
			sum, square := 0.0, 0.0
			for _, v := range r[b*size : (b+1)*size] {
				sum, square = sum+(v-mean), square+(v-mean)*(v-mean)
			}
			half, bit := b/halfBlocks, 1<<(b%halfBlocks)
			h.sums[half][bit][i], h.squares[half][bit][i] = sum, square
		}
	}
	for half := range 2 {
		for s := range subsets {
			if rest := s & (s - 1); rest != 0 { // s has more than one block
				add(h.sums[half][s], h.sums[half][rest], h.sums[half][s&-s])
				add(h.squares[half][s], h.squares[half][rest], h.squares[half][s&-s])
			}
		}
	}
	return h
}

func add(dst, a, b []float64) {
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

// ratios writes for each trial a number that orders trials as their Sharpe ratios over
// eight blocks do: its square with its sign, which needs no root. It is NaN if the returns
// do not vary.
func (h *halves) ratios(dst []float64, low, high int) {
	n := len(dst)
	a, b := h.sums[0][low][:n], h.sums[1][high][:n]
	c, d := h.squares[0][low][:n], h.squares[1][high][:n]
	means, least := h.means[:n], h.least[:n]
	each := 1 / h.rows
	for i := range dst {
		sum := a[i] + b[i]
		mean := sum * each
		variance := (c[i]+d[i])*each - mean*mean
		mean += means[i]
		if v := mean * math.Abs(mean) / variance; variance > least[i] {
			dst[i] = v
		} else {
			dst[i] = math.NaN()
		}
	}
}

// bestOf returns the first of the highest values, or -1 if all are NaN.
func bestOf(values []float64) int {
	best := -1
	for i, v := range values {
		if best < 0 && v == v || best >= 0 && v > values[best] {
			best = i
		}
	}
	return best
}

// belowMedian reports whether the relative rank of a value is at most one half, so that
// its logit is at most 0. NaN ranks last.
func belowMedian(values []float64, at int) bool {
	own := values[at]
	less, equal := 0, 0
	for _, v := range values {
		switch {
		case v == own || v != v && own != own:
			equal++
		case v < own || v != v:
			less++
		}
	}
	// The rank is less + (equal + 1)/2, and relative to n + 1.
	return 2*less+equal <= len(values)
}
