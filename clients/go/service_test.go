package ballast

import (
	"errors"
	"os"
	"testing"
)

// TestService uses a running service that has prices of AAA and BBB.
func TestService(t *testing.T) {
	if os.Getenv("BALLAST_URL") == "" {
		t.Skip("BALLAST_URL names no service; the end-to-end tests of the service set it")
	}
	c, err := New(os.Getenv("BALLAST_URL"), os.Getenv("BALLAST_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	verdict, err := c.ValidateScript(ctx, &ValidateRequest{Prompt: Of("60% AAA, 40% BBB, rebalanced quarterly")})
	must(err)
	if !verdict.Valid {
		t.Fatalf("%+v", verdict)
	}
	m, err := c.CreateModel(ctx, &ModelCreate{Prompt: Of("60% AAA, 40% BBB, rebalanced quarterly")})
	must(err)
	m, err = c.WaitForModel(ctx, m.ID)
	must(err)
	if m.Status != "active" || m.Metadata == nil {
		t.Fatalf("the model is %s", m.Status)
	}
	h, err := c.GetModelHistory(ctx, m.ID, &GetModelHistoryParameters{Include: []string{"returns", "metrics", "allocation", "tree", "latest", "contribution"}})
	must(err)
	if len(h.Dates) == 0 || h.Metrics == nil || h.Metrics.Cagr == nil {
		t.Errorf("%d dates, %+v", len(h.Dates), h.Metrics)
	}
	r, err := c.StartRun(ctx, m.ID, &StartRunFields{Intent: Of("test"), Inputs: map[string]any{"weights": []float64{0.3, 0.7}}}, nil)
	must(err)
	if r, err = c.WaitForRun(ctx, r.ID); err != nil || r.Status != "complete" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err = c.PatchModel(ctx, m.ID, Fields{"labels": []string{"go"}}); err != nil {
		t.Error(err)
	}
	s, err := c.CreateSimulation(ctx, &SimulationCreate{Prompt: Of("Retire with 1000000 in 60% AAA and 40% BBB, withdraw 4% a year for 30 years")})
	must(err)
	for s.Run != nil {
		s, err = c.GetSimulation(ctx, s.ID)
		must(err)
	}
	result, err := c.GetSimulationResult(ctx, s.ID, nil)
	must(err)
	if len(result.Scalars) == 0 {
		t.Errorf("%+v", result)
	}
	answer, err := c.Query(ctx, &QueryRequest{SQL: "select symbol from models"})
	must(err)
	if answer == nil {
		t.Error("no answer")
	}
	models := 0
	for _, err := range c.ListModelsAll(ctx, &ListModelsParameters{Limit: Of(int64(1))}) {
		must(err)
		models++
	}
	if models != 1 {
		t.Errorf("%d models", models)
	}
	for _, err := range c.ListAssetsAll(ctx, nil) {
		must(err)
	}
	if _, err := c.GetAccount(ctx); err != nil {
		t.Error(err)
	}
	if _, err := c.GetBilling(ctx); err != nil {
		t.Error(err)
	}
	_, err = c.GetModel(ctx, "NOPE")
	var e *Error
	if !errors.As(err, &e) || e.Type != "not_found" || e.RequestID == "" {
		t.Errorf("%v", err)
	}
	if _, err := c.DeleteModel(ctx, m.ID); err != nil {
		t.Error(err)
	}
}
