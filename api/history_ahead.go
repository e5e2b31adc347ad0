package api

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ballast/api/transport"
	"ballast/program/history"
)

// numberLength is what a number with its comma takes at most of the time, in bytes.
const numberLength = 21

// worthSharing is how many numbers make it worth to format them on several
// processors.
const worthSharing = 20_000

// prepare makes room for a history, and formats the vectors of a large one
// beforehand, side by side.
func (w *historyWriter) prepare(p *history.History) {
	vectors, unique, total := vectorsOf(p)
	w.b = slices.Grow(w.b, total*numberLength+16*len(p.Dates)+4096)
	workers := min(runtime.GOMAXPROCS(0), 8)
	if unique < worthSharing || workers == 1 {
		return
	}
	// One buffer a worker, of those that bodies use: a large answer would leave
	// megabytes to the collector otherwise.
	type place struct{ worker, at, to int }
	places := make([]place, len(vectors))
	w.buffers = make([]*[]byte, workers)
	var next atomic.Int64
	var formatting sync.WaitGroup
	for worker := range workers {
		formatting.Go(func() {
			buffer := transport.GetBuffer()
			b := slices.Grow(*buffer, unique*numberLength/workers)
			for i := int(next.Add(1)) - 1; i < len(vectors); i = int(next.Add(1)) - 1 {
				at := len(b)
				b = transport.AppendFloats(b, vectors[i])
				places[i] = place{worker, at, len(b)}
			}
			*buffer = b
			w.buffers[worker] = buffer
		})
	}
	formatting.Wait()
	w.written = make(map[*float64]written, len(vectors))
	for i, x := range vectors {
		p := places[i]
		w.written[&x[0]] = written{text: (*w.buffers[p.worker])[p.at:p.to], n: len(x)}
	}
}

// release gives back what was formatted beforehand; the answer has it by then.
func (w *historyWriter) release() {
	for _, b := range w.buffers {
		transport.PutBuffer(b)
	}
	w.buffers, w.written = nil, nil
}

// vectorsOf are the vectors of a history, each once, how many numbers they are,
// and how many the answer has.
func vectorsOf(p *history.History) (vectors [][]float64, unique, total int) {
	seen := map[*float64]bool{}
	add := func(many ...[]float64) {
		for _, x := range many {
			total += len(x)
			if len(x) > 0 && !seen[&x[0]] {
				seen[&x[0]] = true
				unique += len(x)
				vectors = append(vectors, x)
			}
		}
	}
	add(p.Returns)
	if p.Allocation != nil {
		add(p.Allocation.Weights...)
	}
	var nodes func(n *history.Node)
	nodes = func(n *history.Node) {
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
	return vectors, unique, total
}
