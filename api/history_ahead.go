package api

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ballast/program"
)

// numberLength is what a number with its comma takes at most of the time, in bytes.
const numberLength = 21

// worthSharing is how many numbers make it worth to format them on several
// processors.
const worthSharing = 20_000

// prepare makes room for a history, and formats the vectors of a large one
// beforehand, side by side.
func (w *historyWriter) prepare(p *program.History) {
	vectors, total := vectorsOf(p)
	w.b = slices.Grow(w.b, total*numberLength+16*len(p.Dates)+4096)
	workers := min(runtime.GOMAXPROCS(0), 8)
	if total < worthSharing || workers == 1 {
		return
	}
	texts := make([][]byte, len(vectors))
	var next atomic.Int64
	var formatting sync.WaitGroup
	for range workers {
		formatting.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(vectors); i = next.Add(1) - 1 {
				texts[i] = appendFloats(make([]byte, 0, len(vectors[i])*numberLength), vectors[i])
			}
		})
	}
	formatting.Wait()
	w.written = make(map[*float64]written, len(vectors))
	for i, x := range vectors {
		w.written[&x[0]] = written{text: texts[i], n: len(x)}
	}
}

// vectorsOf are the vectors of a history, each once, and how many numbers the
// answer has of them.
func vectorsOf(p *program.History) (vectors [][]float64, total int) {
	seen := map[*float64]bool{}
	add := func(many ...[]float64) {
		for _, x := range many {
			total += len(x)
			if len(x) > 0 && !seen[&x[0]] {
				seen[&x[0]] = true
				vectors = append(vectors, x)
			}
		}
	}
	add(p.Returns)
	if p.Allocation != nil {
		add(p.Allocation.Weights...)
	}
	var nodes func(n *program.Node)
	nodes = func(n *program.Node) {
		add(n.Weights)
		for _, child := range n.Children {
			nodes(child)
		}
	}
	if p.Tree != nil {
		nodes(p.Tree)
	}
	if p.Custom != nil {
		add(p.Custom.Series.Values...)
	}
	if p.Fees != nil {
		add(p.Fees.Returns)
	}
	if p.Contribution != nil {
		add(p.Contribution.Values...)
		add(p.Contribution.Total)
	}
	return vectors, total
}
