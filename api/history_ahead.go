package api

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ballast/api/transport"
	"ballast/program/history"
)

// numberLength is an upper estimate of the bytes of a number and its comma.
const numberLength = 21

// worthSharing is from how many numbers on formatting them on several processors is
// faster.
const worthSharing = 20_000

// prepare makes room for a history. For a large one it formats the vectors
// beforehand, in parallel.
func (w *historyWriter) prepare(p *history.History) {
	vectors, unique, total := vectorsOf(p)
	w.b = slices.Grow(w.b, total*numberLength+16*len(p.Dates)+4096)
	workers := min(runtime.GOMAXPROCS(0), 8)
	if unique < worthSharing || workers == 1 {
		return
	}
	// Each worker has one buffer from the pool that bodies use; otherwise a large
	// response would leave megabytes to the garbage collector.
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

// release returns the buffers of prepare to the pool. The response must hold their
// bytes by then.
func (w *historyWriter) release() {
	for _, b := range w.buffers {
		transport.PutBuffer(b)
	}
	w.buffers, w.written = nil, nil
}

// vectorsOf returns the vectors of a history without duplicates, how many numbers
// these have, and how many numbers the response has.
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
