package main

import (
	"testing"
)

// A model keeps its member when another model takes the member's name as its symbol.
// Otherwise two models could hold each other, and refresh each other for ever.
func TestNameTakenByHolder(t *testing.T) {
	data := t.TempDir()
	_, url := serveProcess(t, data)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	alpha := create(t, c, fixedWeights("ALPHA", "X", "KA", 1))
	await(t, c, alpha, "active")
	first := create(t, c, fixedWeights("First", "FIRST", "ALPHA", 1))
	await(t, c, first, "active")
	second := create(t, c, fixedWeights("Second", "ALPHA", "FIRST", 1))
	await(t, c, second, "active")

	var run struct {
		Status string
		Error  *struct{ Type, Message string }
	}
	if err := c.do(t.Context(), "POST", "/v1/models/FIRST/runs?wait=true", struct{}{}, &run); err != nil {
		t.Fatal(err)
	}
	if run.Status != "complete" {
		t.Errorf("the run of FIRST is %s, %+v", run.Status, run.Error)
	}
	for _, id := range []string{first, second} {
		await(t, c, id, "active")
	}
	var runs struct{ Total int }
	if err := c.do(t.Context(), "GET", "/v1/models/ALPHA/runs", nil, &runs); err != nil {
		t.Fatal(err)
	}
	if runs.Total != 2 {
		t.Errorf("%d runs of the holder, want its first and the one that follows its member", runs.Total)
	}
	var sheet struct {
		Metadata struct {
			MemberSources map[string]struct{ ID string } `json:"member_sources"`
		}
	}
	if err := c.do(t.Context(), "GET", "/v1/models/FIRST", nil, &sheet); err != nil {
		t.Fatal(err)
	}
	if got := sheet.Metadata.MemberSources["ALPHA"].ID; got != alpha {
		t.Errorf("FIRST holds %s under ALPHA, want %s", got, alpha)
	}
}
