package api

import (
	"fmt"
	"testing"

	"ballast/program/history"
)

// treeHistory has the blocks of a model of three levels over 50 assets.
func treeHistory(sessions int) *history.History {
	h := fakeHistory(sessions)
	h.Allocation.Keys, h.Allocation.Weights = nil, nil
	h.Tree = &history.Node{Key: "TREE", Weights: h.Returns}
	vector := func(k int) []float64 {
		x := make([]float64, sessions)
		for i := range x {
			x[i] = (0.5 + h.Returns[(i+7*k)%sessions]) / 25
		}
		return x
	}
	for i := range 10 {
		branch := &history.Node{Key: fmt.Sprintf("BRANCH-%d", i), Weights: vector(i)}
		for k := range 5 {
			leaf := &history.Node{Key: fmt.Sprintf("ASSET-%d", 5*i+k), Weights: vector(100 + 5*i + k)}
			branch.Children = append(branch.Children, leaf)
			h.Allocation.Keys, h.Allocation.Weights = append(h.Allocation.Keys, leaf.Key), append(h.Allocation.Weights, leaf.Weights)
		}
		h.Tree.Children = append(h.Tree.Children, branch)
	}
	return h
}

func BenchmarkHistoryTree(b *testing.B) {
	body := &historyBody{source: treeHistory(5040)}
	text, err := body.AppendJSON(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if text, err = body.AppendJSON(text[:0]); err != nil {
			b.Fatal(err)
		}
	}
}
