package main

import "testing"

// A name that comes to mean another model, which holds the one that names it,
// must not have both refreshed for each other without end.
func TestNameTakenByHolder(t *testing.T) {
	data := t.TempDir()
	_, url := serveProcess(t, data)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	await(t, c, create(t, c, fixedWeights("ALPHA", "X", "KA", 1)), "active")
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
	if run.Status != "failed" || run.Error == nil || run.Error.Type != "data_error" {
		t.Errorf("the run of FIRST is %s, %+v", run.Status, run.Error)
	}
	for _, id := range []string{first, second} {
		await(t, c, id, "active")
	}
	var runs struct{ Total int }
	if err := c.do(t.Context(), "GET", "/v1/models/ALPHA/runs", nil, &runs); err != nil {
		t.Fatal(err)
	}
	if runs.Total != 1 {
		t.Errorf("%d runs of the holder, want its first alone", runs.Total)
	}
}
