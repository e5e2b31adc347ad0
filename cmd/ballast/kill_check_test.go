package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/service"
)

// killedSheet is what the test reads from a fact sheet.
type killedSheet struct {
	ID, Name, Symbol, Status string
	Run                      *struct{ ID, Status string }
	Error                    *struct{ Type, Message string }
	Warning                  *string
	Live                     *string `json:"live_run_id"`
	Metadata                 *struct {
		Members map[string]struct {
			Kind, ID string
			Run      string `json:"run_id"`
		} `json:"member_sources"`
	}
}

// settle waits until no work is left, and returns all models.
func (k *killing) settle(t *testing.T) []killedSheet {
	t.Helper()
	for deadline := time.Now().Add(45 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		sheets := k.list(t)
		busy := 0
		var last killedSheet
		for _, s := range sheets {
			if s.Run != nil || (s.Status != "active" && s.Status != "failed") {
				busy, last = busy+1, s
			}
		}
		if busy == 0 {
			return k.whole(t, sheets)
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d models of %d are not done, one is %s: %s, run %+v", busy, len(sheets), last.Name, last.Status, last.Run)
		}
	}
}

// whole reads the fact sheets, because lists contain only a part of them.
func (k *killing) whole(t *testing.T, listed []killedSheet) []killedSheet {
	t.Helper()
	sheets := make([]killedSheet, len(listed))
	c := k.client()
	for i, s := range listed {
		if err := c.do(t.Context(), "GET", "/v1/models/"+s.ID, nil, &sheets[i]); err != nil {
			t.Fatal(err)
		}
	}
	return sheets
}

func (k *killing) list(t *testing.T) []killedSheet {
	t.Helper()
	var all []killedSheet
	for {
		var page struct {
			Data  []killedSheet
			Total int
		}
		if err := k.client().do(t.Context(), "GET", fmt.Sprintf("/v1/models?limit=200&offset=%d", len(all)), nil, &page); err != nil {
			t.Fatal(err)
		}
		if all = append(all, page.Data...); len(all) >= page.Total || len(page.Data) == 0 {
			return all
		}
	}
}

// checkAccepted compares what exists with what was accepted: nothing is lost, and
// nothing exists twice unless a response was lost.
func (k *killing) checkAccepted(t *testing.T, sheets []killedSheet) {
	t.Helper()
	present := map[string]bool{}
	twice := 0
	for _, s := range sheets {
		present[s.ID] = true
		a := k.models[s.ID]
		if a == nil {
			twice++
			if a = k.names[s.Name]; a == nil || !a.uncertain || a.symbol != "" {
				t.Errorf("%s (%s) exists, and nobody asked for it without getting an answer", s.Name, s.Symbol)
				continue
			}
		}
		switch {
		case a.fails && (s.Status != "failed" || s.Error == nil || s.Error.Type != "script_error" || !strings.Contains(s.Error.Message, "zero")):
			t.Errorf("%s fails at run time; it is %s, %+v", s.Name, s.Status, s.Error)
		case !a.fails && s.Status != "active":
			t.Errorf("%s is %s: %+v", s.Name, s.Status, s.Error)
		case !a.fails && s.Warning != nil:
			t.Errorf("%s is active with the warning %q", s.Name, *s.Warning)
		}
	}
	for id, a := range k.models {
		if !present[id] {
			t.Errorf("%s (%s) was accepted and is lost", a.name, id)
		}
	}
	t.Logf("%d accepted, %d exist, %d twice without a symbol of their own", len(k.models), len(sheets), twice)
}

// checkResults reads every result completely, and runs each script again.
func (k *killing) checkResults(t *testing.T, sheets []killedSheet) {
	t.Helper()
	live := map[string]string{}
	for _, s := range sheets {
		if s.Live != nil {
			live[s.ID] = *s.Live
		}
	}
	work := make(chan killedSheet)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for s := range work {
				if err := k.checkResult(t, s, live); err != nil {
					t.Errorf("%s: %v", s.Name, err)
				}
			}
		})
	}
	for _, s := range sheets {
		if s.Status == "active" {
			work <- s
		}
	}
	close(work)
	readers.Wait()
}

func (k *killing) checkResult(t *testing.T, s killedSheet, live map[string]string) error {
	orphaned := false
	for key, m := range s.Metadata.Members {
		if m.Kind != "model" || m.Run == live[m.ID] {
			continue
		}
		if gone, err := k.purged(t, m.ID); err != nil {
			return err
		} else if gone {
			orphaned = true // restored with its result, which nothing can compute again
			continue
		}
		return fmt.Errorf("was computed on run %s of %s, which serves %s", m.Run, key, live[m.ID])
	}
	c := k.client()
	var h readHistory
	if err := c.do(t.Context(), "GET", "/v1/models/"+s.ID+"/history?include=returns,allocation,metrics&full_history=true", nil, &h); err != nil {
		return err
	}
	if err := h.whole(); err != nil {
		return err
	}
	var served, again runBody
	if err := c.do(t.Context(), "GET", "/v1/runs/"+*s.Live, nil, &served); err != nil {
		return err
	}
	if orphaned {
		if served.Status != "complete" || served.Hash == "" {
			return fmt.Errorf("serves %+v", served)
		}
		return nil
	}
	if err := c.do(t.Context(), "POST", "/v1/models/"+s.ID+"/runs?wait=true", map[string]string{"intent": "test"}, &again); err != nil {
		return err
	}
	if served.Status != "complete" || again.Status != "complete" || served.Hash == "" || served.Hash != again.Hash {
		return fmt.Errorf("serves %+v, a test run gives %+v", served, again)
	}
	return nil
}

// purged reports that a model is neither there nor in the Trash. What held it in the Trash may
// have been restored since.
func (k *killing) purged(t *testing.T, id string) (bool, error) {
	err := k.client().do(t.Context(), "GET", "/v1/models/"+id, nil, nil)
	if err == nil || !declined(err) {
		return false, err
	}
	var page struct{ Data []struct{ ID string } }
	if err := k.client().do(t.Context(), "GET", "/v1/models/trash?limit=200", nil, &page); err != nil {
		return false, err
	}
	for _, m := range page.Data {
		if m.ID == id {
			return false, nil
		}
	}
	return true, nil
}

type runBody struct {
	ID, Status string
	Hash       string `json:"result_hash"`
}

// end stops everything, and looks for leftovers: objects that no run names,
// half-written files, processes.
func (k *killing) end(t *testing.T) {
	children := append(family(k.service.cmd.Process.Pid), family(k.worker.cmd.Process.Pid)...)
	for kind, p := range map[string]*process{"worker": k.worker, "service": k.service} {
		if code := p.stop(t); code != 0 {
			t.Errorf("the %s ended with %d\n%s", kind, code, p.logs())
		}
	}
	gone(t, children, 2*time.Second)
	orphans := len(k.orphans(t))
	time.Sleep(time.Second) // longer than the grace period
	k.startService(t, "--sweep-grace", "1s")
	children = family(k.service.cmd.Process.Pid)
	for deadline := time.Now().Add(25 * time.Second); len(k.orphans(t)) > 0; time.Sleep(300 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("not swept: %v", k.orphans(t))
			break
		}
	}
	t.Logf("%d objects that no run named were swept", orphans)
	if code := k.service.stop(t); code != 0 {
		t.Errorf("the last service ended with %d", code)
	}
	gone(t, children, 2*time.Second)
}

// orphans lists result objects and unfinished files that no run names, and checks
// that every object that a run names exists.
func (k *killing) orphans(t *testing.T) []string {
	t.Helper()
	c := service.Default()
	c.Storage.DataDir = k.data
	s, err := service.Open(t.Context(), c, slog.New(slog.DiscardHandler), service.SharedDatabase)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	rows, err := s.DB.Pool().Query(t.Context(),
		"select t.value ->> 'object' from runs, jsonb_each(tables) t where t.value ->> 'object' <> ''")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	named := map[string]bool{}
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			t.Fatal(err)
		}
		named[key] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var unnamed []string
	for entry, err := range s.Bucket.List(t.Context(), "runs/") {
		if err != nil {
			t.Fatal(err)
		}
		if !named[entry.Key] {
			unnamed = append(unnamed, entry.Key)
		}
		delete(named, entry.Key)
	}
	for key := range named {
		t.Errorf("a run names %s, which is not there", key)
	}
	slices.Sort(unnamed)
	return unnamed
}
