package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/id"
	"ballast/metrics"
	"ballast/postgres"
	"ballast/program"
	"ballast/program/jobs"
	"ballast/timeseries"
)

// draft is a model with its first build and run, not stored yet.
type draft struct {
	model *program.Model
	build *program.Build
	run   *program.Run
}

func newDraft(accountID, symbol string) draft {
	m := &program.Model{
		ID: id.New(id.Model), Kind: program.KindModel, AccountID: accountID, Name: "Model " + symbol, Symbol: symbol, Status: program.StatusBuilding,
		AutoUpdate: true, NotifyEmail: true, Labels: []string{"Core", "Größe"}, Description: "holds things", Prompt: "hold things",
		StartDate: timeseries.NoDate, RequestedSession: timeseries.NoDate, StartRule: "all_members", CreatedAt: morning, UpdatedAt: morning,
	}
	m.Slug = strings.ToLower(symbol) + "-" + m.ID[len(m.ID)-10:]
	b := &program.Build{
		ID: id.New(id.Build), AccountID: accountID, ProgramID: m.ID, Kind: "create", Status: program.RunQueued,
		Script: "def decide(ctx):\n    return {}\n", ScriptHash: "abc", InputsSchema: json.RawMessage(`{"type": "object"}`),
		Prompt: "hold things", Validation: json.RawMessage(`{"valid": true}`), CreatedAt: morning,
	}
	m.BuildID = b.ID
	return draft{m, b, newRun(m, b.ID, program.SourceCreate)}
}

func newRun(m *program.Model, buildID string, source program.Source) *program.Run {
	return &program.Run{
		ID: id.New(id.Run), AccountID: m.AccountID, ProgramID: m.ID, BuildID: buildID, Status: program.RunQueued,
		Publishes: true, Source: source, Inputs: json.RawMessage(`{"universe": ["SPY", "AGG"]}`), ScriptHash: "abc",
		HarnessVersion: "1", Progress: program.Progress{Step: "queued"}, CreatedAt: morning,
		Base: timeseries.NoDate, First: timeseries.NoDate, Last: timeseries.NoDate,
	}
}

// store stores a model that is building.
func store(ctx context.Context, db *postgres.DB, d draft) error {
	_, err := db.CreateModel(ctx, d.model, d.build, d.run)
	return err
}

func rebuildModel(ctx context.Context, db *postgres.DB, b *program.Build, r *program.Run, symbol string) error {
	_, err := db.Rebuild(ctx, b, r, symbol)
	return err
}

func applyRevision(ctx context.Context, db *postgres.DB, a program.Application) error {
	_, err := db.ApplyRevision(ctx, a)
	return err
}

func create(t testing.TB, db *postgres.DB, accountID, symbol string) draft {
	t.Helper()
	d := newDraft(accountID, symbol)
	must(t, store(t.Context(), db, d))
	return d
}

func assetMember(symbol string) program.Member {
	return program.Member{Key: symbol, Kind: program.MemberAsset, ID: id.New(id.Asset), Symbol: symbol, Name: symbol, BarsVersion: 3, First: 100, Last: 200}
}

// modelMember pins the run that a model serves.
func modelMember(t testing.TB, db *postgres.DB, modelID string) program.Member {
	t.Helper()
	m := sheet(t, db, modelID)
	return program.Member{Key: m.Symbol, Kind: program.MemberModel, ID: m.ID, Symbol: m.Symbol, Name: m.Name, RunID: m.LiveRunID, First: 100, Last: 200, Depth: m.Depth}
}

func publication(runID string, members ...program.Member) *program.Publication {
	depth := 0
	for _, m := range members {
		if m.Kind == program.MemberModel {
			depth = max(depth, m.Depth+1)
		}
	}
	return &program.Publication{
		RunID: runID, HarnessVersion: "2", DataVersion: "v3", Members: members, Depth: depth,
		Summary: &program.Summary{Universe: []string{"SPY"}, InitialCash: 10000, FinalValue: 12345.678901234567, Inputs: json.RawMessage(`{}`)},
		Usage:   program.Usage{Units: 2, Base: 1, Seconds: 1}, ResultHash: "hash-" + runID,
		Tables: program.Tables{
			"daily":  {Key: "runs/" + runID + "/daily.parquet", Bytes: 1000},
			"ledger": {Key: "runs/" + runID + "/ledger.parquet", Bytes: 200},
		},
		Base: 100, First: 101, Last: 200, FinishedAt: morning.Add(time.Minute),
		Figures: figures(math.NaN()),
	}
}

// figures returns the figures of a result with a Sharpe ratio and no other number.
func figures(sharpe float64) *metrics.Figures {
	b := &metrics.Block{}
	f := metrics.FiguresOf(b)
	for i, name := range metrics.FigureNames {
		f.Values[i] = math.NaN()
		if name == "sharpe" {
			f.Values[i] = sharpe
		}
	}
	return f
}

func publish(t testing.TB, db *postgres.DB, runID string, members ...program.Member) {
	t.Helper()
	must(t, db.Publish(t.Context(), publication(runID, members...)))
}

// active stores a model that serves a result.
func active(t testing.TB, db *postgres.DB, accountID, symbol string, members ...program.Member) draft {
	t.Helper()
	d := create(t, db, accountID, symbol)
	publish(t, db, d.run.ID, members...)
	return d
}

func sheet(t testing.TB, db *postgres.DB, modelID string) *program.Sheet {
	t.Helper()
	m, err := db.Sheet(t.Context(), modelID)
	must(t, err)
	return m
}

func readRun(t testing.TB, db *postgres.DB, runID string) *program.Run {
	t.Helper()
	r, err := db.Run(t.Context(), runID)
	must(t, err)
	return r
}

// queued lists the runs with a waiting job, in the order in which they were queued.
func queued(t testing.TB, db *postgres.DB) []string {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), "select args->>'run_id' from river_job where kind = 'run' order by id")
	must(t, err)
	var out []string
	for rows.Next() {
		var runID string
		must(t, rows.Scan(&runID))
		out = append(out, runID)
	}
	must(t, rows.Err())
	return out
}

// dump returns all rows of programs as text, to see that nothing has changed.
func dump(t testing.TB, db *postgres.DB) string {
	t.Helper()
	var out strings.Builder
	for _, table := range []string{"programs", "models", "builds", "runs", "memberships", "drafts", "revisions", "river_job"} {
		var text string
		must(t, db.Pool().QueryRow(t.Context(), fmt.Sprintf("select coalesce(jsonb_agg(to_jsonb(x) order by to_jsonb(x))::text, '') from %s x", table)).Scan(&text))
		fmt.Fprintf(&out, "%s: %s\n", table, text)
	}
	return out.String()
}

// sameJSON compares JSON documents by value.
var sameJSON = cmp.FilterValues(func(a, b json.RawMessage) bool { return json.Valid(a) && json.Valid(b) },
	cmp.Comparer(func(a, b json.RawMessage) bool {
		var x, y any
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
	}))

func ids[T any](all []T, key func(T) string) []string {
	out := []string{}
	for _, v := range all {
		out = append(out, key(v))
	}
	return out
}

func sheetID(m *program.Sheet) string { return m.ID }
func runID(r *program.Run) string     { return r.ID }
func buildID(b *program.Build) string { return b.ID }

func TestCreateModelStoresAll(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a")
	d := create(t, db, a.ID, "RMOM")

	want := &program.Sheet{Model: *d.model, Build: d.build, InFlight: d.run}
	want.InFlight.ProgramName, want.InFlight.InputsSchema = d.model.Name, d.build.InputsSchema
	got := sheet(t, db, d.model.ID)
	if diff := cmp.Diff(want, got, sameJSON, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{d.run.ID}, queued(t, db)); diff != "" {
		t.Error(diff)
	}
	counted, err := db.Account(t.Context(), a.ID)
	must(t, err)
	if counted.Collections.Models != 1 || counted.Collections.Runs != 1 {
		t.Errorf("%+v", counted.Collections)
	}
}

func TestStartRun(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := create(t, db, newAccount(t, db, "a").ID, "RMOM")
	run, build, model, err := db.StartRun(t.Context(), d.run.ID)
	must(t, err)
	if run.Status != program.RunRunning || run.StartedAt == nil || run.ProgramName != d.model.Name || build.Status != program.RunRunning || model.ID != d.model.ID {
		t.Errorf("run %+v\nbuild %+v\nmodel %+v", run, build, model)
	}
	if build.Script != d.build.Script {
		t.Errorf("script %q", build.Script)
	}
	again, _, _, err := db.StartRun(t.Context(), d.run.ID) // after a crash
	must(t, err)
	if !again.StartedAt.Equal(*run.StartedAt) {
		t.Errorf("started at %v, then %v", run.StartedAt, again.StartedAt)
	}
	progress := func(p program.Progress, wanted bool) {
		t.Helper()
		got, err := db.SetProgress(t.Context(), d.run.ID, p)
		must(t, err)
		if got != wanted {
			t.Errorf("the run is wanted: %v", got)
		}
	}
	progress(program.Progress{Step: "backtest", Done: 3, Total: 7}, true)
	if p := readRun(t, db, d.run.ID).Progress; p != (program.Progress{Step: "backtest", Done: 3, Total: 7}) {
		t.Errorf("progress %+v", p)
	}
	publish(t, db, d.run.ID)
	progress(program.Progress{Step: "late"}, false)
	if p := readRun(t, db, d.run.ID).Progress; p.Step != "done" {
		t.Errorf("progress after the end %+v", p)
	}
	for name, ref := range map[string]string{"ended": d.run.ID, "gone": id.New(id.Run)} {
		if run, build, model, err := db.StartRun(t.Context(), ref); run != nil || build != nil || model != nil || err != nil {
			t.Errorf("%s: %v, %v, %v, %v", name, run, build, model, err)
		}
	}
}

func TestFinished(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	first, second := create(t, db, a, "FIRST"), create(t, db, a, "SECOND")
	wait := func(ctx context.Context, runID string) <-chan struct{} {
		t.Helper()
		ch, err := db.Finished(ctx, runID)
		must(t, err)
		return ch
	}
	closes := func(name string, ch <-chan struct{}) {
		t.Helper()
		select {
		case <-ch:
		case <-time.After(2 * time.Minute):
			t.Errorf("%s: not announced", name)
		}
	}
	one, two, other := wait(t.Context(), first.run.ID), wait(t.Context(), first.run.ID), wait(t.Context(), second.run.ID)
	publish(t, db, first.run.ID)
	closes("published", one)
	closes("published", two)
	select {
	case <-other:
		t.Error("the end of another run was announced")
	default:
	}

	// The service waits for a refresh that a caller has started, too.
	refresh := newRun(first.model, first.build.ID, program.SourceRefresh)
	refresh.Intent = "refresh"
	must(t, db.CreateRun(t.Context(), refresh, 0))
	refreshed := wait(t.Context(), refresh.ID)
	publish(t, db, refresh.ID)
	closes("refreshed", refreshed)

	// The listening connection is lost; runs that end meanwhile are found afterwards.
	_, err := db.Pool().Exec(t.Context(), "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen run_ended' and datname = current_database()")
	must(t, err)
	must(t, db.FailRun(t.Context(), second.run.ID, program.Ending{Failure: program.Failure{Type: "internal", Message: "x"}}))
	closes("failed", other)

	ctx, cancel := context.WithCancel(t.Context())
	canceled := wait(ctx, id.New(id.Run))
	cancel()
	closes("canceled", canceled)
	last := wait(t.Context(), id.New(id.Run))
	db.Close()
	closes("closed", last)
}

func TestLeases(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := create(t, db, newAccount(t, db, "a").ID, "RMOM")
	_, err := db.Pool().Exec(t.Context(), "update river_job set state = 'running', attempted_at = now(), attempt = 1, attempted_by = '{old,dead}'")
	must(t, err)
	must(t, db.Renew(t.Context(), "dead", jobs.Slots{}))
	must(t, db.Renew(t.Context(), "dead", jobs.Slots{}))
	if n, err := db.Rescue(t.Context(), time.Minute); n != 0 || err != nil {
		t.Errorf("of a living worker %d, %v", n, err)
	}
	_, err = db.Pool().Exec(t.Context(), "update workers set renewed_at = now() - interval '5 minutes'")
	must(t, err)
	must(t, db.Renew(t.Context(), "living", jobs.Slots{}))
	if n, err := db.Rescue(t.Context(), time.Minute); n != 1 || err != nil {
		t.Errorf("of a dead worker %d, %v", n, err)
	}
	if n, err := db.Rescue(t.Context(), time.Minute); n != 0 || err != nil {
		t.Errorf("again %d, %v", n, err)
	}
	if !slices.Contains(queued(t, db), d.run.ID) {
		t.Error("the job is gone")
	}
}
