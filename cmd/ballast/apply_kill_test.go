package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// revisionState holds the fields of a revision that the test reads.
type revisionState struct {
	ID, Status string
	Current    bool
	RunID      string  `json:"run_id"`
	BuildID    string  `json:"build_id"`
	AppliedAt  *string `json:"applied_at"`
}

// A service is killed while a revision is applied: afterwards it is applied
// completely or not at all, and applying it again completes it.
func TestKilledWhileApplying(t *testing.T) {
	testenv.NotInTest(t)
	binary.Path(t)
	data := t.TempDir()
	service, url := serveProcess(t, data)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	model := create(t, c, fixedWeights("Applied", "APPLIED", "KA", 0.5, "KB", 0.1))
	await(t, c, model, "active")
	above := create(t, c, fixedWeights("Above", "ABOVE", "APPLIED", 0.5, "KC", 0.1))
	await(t, c, above, "active")
	delays := []time.Duration{4 * time.Millisecond, 40 * time.Millisecond, 15 * time.Millisecond, 150 * time.Millisecond}[:testenv.Rounds(2, 4)]
	applied := 0
	for round, delay := range delays {
		v := tryDraft(t, c, model, fmt.Sprint(round), fixedWeights("Applied", "APPLIED", "KA", 0.5, "KB", fmt.Sprintf("0.2%d", round)))
		before := serving(t, c, model)
		done := make(chan struct{})
		address := "/v1/models/" + model + "/revisions/" + v.ID
		go func() {
			defer close(done)
			_ = c.do(context.Background(), "POST", address+"/apply", nil, nil) // it may be cut off
		}()
		time.Sleep(delay)
		service.kill()
		<-done
		service, c.url = serveProcess(t, data)

		now := readRevision(t, c, address)
		m := serving(t, c, model)
		switch {
		case now.Current != (now.AppliedAt != nil):
			t.Errorf("half applied: %+v", now)
		case now.Current && m.LiveRunID != v.RunID, !now.Current && m.LiveRunID != before.LiveRunID:
			t.Errorf("the model serves %s with %+v", m.LiveRunID, now)
		}
		if now.Current {
			applied++
		}
		if err := c.do(t.Context(), "POST", address+"/apply", nil, nil); err != nil {
			t.Fatal(err)
		}
		await(t, c, model, "active")
		await(t, c, above, "active")
		if m = serving(t, c, model); m.LiveRunID != v.RunID {
			t.Errorf("the model serves %s, the revision has %s", m.LiveRunID, v.RunID)
		}
		var holder killedSheet
		if err := c.do(t.Context(), "GET", "/v1/models/"+above, nil, &holder); err != nil {
			t.Fatal(err)
		}
		if got := holder.Metadata.Members["APPLIED"].Run; got != v.RunID {
			t.Errorf("what holds it was computed on %s", got)
		}
	}
	t.Logf("of %d cut off, %d were applied", len(delays), applied)
}

func readRevision(t *testing.T, c *client, address string) revisionState {
	t.Helper()
	var v revisionState
	if err := c.do(t.Context(), "GET", address, nil, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// tryDraft saves a draft and waits until its test has succeeded.
func tryDraft(t *testing.T, c *client, model, key, script string) revisionState {
	t.Helper()
	var draft struct {
		Version int
		Base    string `json:"base_hash"`
	}
	address := "/v1/models/" + model
	if err := c.do(t.Context(), "GET", address+"/draft", nil, &draft); err != nil {
		t.Fatal(err)
	}
	edit := map[string]any{"expected_version": draft.Version, "base_hash": draft.Base, "script": script}
	if err := c.do(t.Context(), "PUT", address+"/draft", edit, nil); err != nil {
		t.Fatal(err)
	}
	var v revisionState
	if err := c.do(t.Context(), "POST", address+"/draft/test", map[string]string{"request_key": key}, &v); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(2 * time.Minute); v.Status != "completed"; time.Sleep(10 * time.Millisecond) {
		if v = readRevision(t, c, address+"/revisions/"+v.ID); v.Status == "failed" || time.Now().After(deadline) {
			t.Fatalf("the test has not succeeded: %+v", v)
		}
	}
	return v
}
