package e2e

import (
	"context"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"
	"go.starlark.net/starlark"

	"ballast/internal/fault"
	"ballast/internal/number"
	"ballast/program"
	"ballast/program/execution"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
)

// counting is a second kind of programs, as small as one can be: its scripts count
// something of each member, over the members' returns.
var counting = sandbox.Family{
	Kind: &script.Kind{Name: "count", EntryPoint: "count", Purpose: "counts", Context: []string{"items"}},
	Execute: func(_ context.Context, c sandbox.Call) (*script.Answer, error) {
		returns := starlark.NewDict(len(c.Frame.Members))
		for i := range c.Frame.Members {
			m := &c.Frame.Members[i]
			list := make([]starlark.Value, 0, len(m.Returns))
			for _, r := range m.Returns {
				if !math.IsNaN(r) {
					list = append(list, starlark.Float(r))
				}
			}
			if err := returns.SetKey(starlark.String(m.Key), starlark.NewList(list)); err != nil {
				return nil, err
			}
		}
		v, err := c.Caller.Call(returns)
		if err != nil {
			return nil, err
		}
		counts, ok := v.(*starlark.Dict)
		if !ok {
			return nil, &script.RunError{Type: script.ScriptError, Message: "count returns a dictionary of numbers"}
		}
		t := script.Table{Name: "counts", Columns: []script.Column{{Name: "key", Texts: []string{}}, {Name: "count"}}}
		sum := 0.0
		for _, item := range counts.Items() {
			n, _ := starlark.AsFloat(item[1])
			key, _ := starlark.AsString(item[0])
			t.Columns[0].Texts, t.Columns[1].Numbers, sum = append(t.Columns[0].Texts, key), append(t.Columns[1].Numbers, n), sum+n
		}
		return &script.Answer{Tables: []script.Table{t}, Scalars: []script.Scalar{{Name: "sum", Value: number.Float(sum)}}}, nil
	},
}

const countUps = `"""Days on which a member rose."""
NAME = "Ups"
INPUTS = {
    "universe": {"type": "array", "default": ["AAA", "HALF"]},
    "least": {"type": "number", "default": 0, "minimum": 0},
}


def count(returns):
    return {s: len([r for r in r_of if r > 0]) for s, r_of in returns.items()}
`

// counts is the desk with services of the second kind beside models.
type counts struct {
	*desk
	t        *testing.T
	account  string
	results  *result.Store
	models   *program.Services
	counts   *program.Services
	executor *execution.Executor
}

func openCounts(t *testing.T) *counts {
	t.Helper()
	d := openDesk(t)
	log := slog.New(slog.DiscardHandler)
	c := &counts{desk: d, t: t}
	pool, err := sandbox.NewPool(t.Context(), sandbox.Config{Command: []string{"/proc/self/exe", "sandbox"}, Logger: log})
	check(t, err)
	t.Cleanup(func() { check(t, pool.Close()) })
	c.results, err = result.NewStore(d.bucket, 1<<20)
	check(t, err)
	services := func(kind *program.Kind) *program.Services {
		return program.New(program.Config{
			Kind: kind, Stores: d.db.ProgramStores(), Assets: d.db, Sessions: c.results, DailyRunLimit: 1000, Wait: time.Minute, Logger: log,
		})
	}
	c.models, c.counts = services(program.ModelKind), services(&program.Kind{Kind: counting.Kind})
	c.executor = execution.NewExecutor(execution.ExecutorConfig{
		Kinds: script.Kinds{script.Model, counting.Kind}, Store: d.db, Programs: d.db, Members: d.db, Backfills: d.db, Series: d.db, SeriesReads: d.db,
		Assets: d.db, Bars: d.reader, Results: c.results, Sandbox: pool, Logger: log,
	})
	c.account = d.guest(t, "counter").accountID
	return c
}

func (c *counts) execute(runID string) {
	c.t.Helper()
	check(c.t, c.executor.Execute(c.t.Context(), runID))
}

// queued returns the run in flight of a program, or "".
func (c *counts) queued(programID string) string {
	c.t.Helper()
	m, err := c.db.Sheet(c.t.Context(), programID)
	check(c.t, err)
	if m.InFlight == nil {
		return ""
	}
	return m.InFlight.ID
}

func (c *counts) build(s *program.Services, source string) *program.Sheet {
	c.t.Helper()
	made, err := s.Builder.Create(c.t.Context(), c.account, program.CreateRequest{Script: source})
	check(c.t, err)
	c.execute(made.InFlight.ID)
	m, err := c.db.Sheet(c.t.Context(), made.ID)
	check(c.t, err)
	if m.Status != program.StatusActive {
		c.t.Fatalf("%s is %s: %+v", m.Name, m.Status, m.Failure)
	}
	return m
}

// ups reads the stored table of a run.
func (c *counts) ups(run *program.Run) map[string]float64 {
	c.t.Helper()
	path, err := c.bucket.Path(c.t.Context(), run.Tables["counts"].Key)
	check(c.t, err)
	table, err := columnar.ReadParquet(path, nil)
	check(c.t, err)
	defer table.Release()
	found := map[string]float64{}
	for i := range int(table.NumRows()) {
		found[table.Column(0).(*array.String).Value(i)] = table.Column(1).(*array.Float64).Value(i)
	}
	return found
}

// A second kind lives as models do: it is checked by its own entry point, built,
// run, stored, verified, refreshed with what it holds, trashed and purged, and
// nothing that is a model's alone is asked of it.
func TestASecondKindOfPrograms(t *testing.T) {
	t.Parallel()
	c := openCounts(t)
	ctx := t.Context()
	half := c.build(c.models, "NAME = \"Half\"\nSYMBOL = \"HALF\"\nSCHEDULE = \"monthly\"\nUNIVERSE = [\"BBB\"]\n\n\ndef decide(ctx):\n    return {\"BBB\": 0.5}\n")
	ups := c.build(c.counts, countUps)
	if ups.Kind != "count" || ups.Depth != 1 || ups.Live.Summary != nil || ups.Live.Answer == nil {
		t.Fatalf("%+v", ups.Live)
	}
	found := c.ups(ups.Live)
	if len(found) != 2 || found["AAA"] < 100 || found["HALF"] < 100 || float64(ups.Live.Answer.Scalars[0].Value) != found["AAA"]+found["HALF"] {
		t.Errorf("%v, %+v", found, ups.Live.Answer)
	}

	// Each kind has its own scripts, addresses and lists, and only models are held.
	if _, err := c.models.Builder.Create(ctx, c.account, program.CreateRequest{Script: countUps}); fault.TypeOf(err) != fault.InvalidScript {
		t.Errorf("a count as a model: %v", err)
	}
	if _, err := c.models.Models.Sheet(ctx, c.account, ups.ID); fault.TypeOf(err) != fault.NotFound {
		t.Errorf("a count read as a model: %v", err)
	}
	if m, err := c.counts.Models.Sheet(ctx, c.account, "Ups"); err != nil || m.ID != ups.ID {
		t.Errorf("a count by its name: %v", err)
	}
	holder := "NAME = \"Holder\"\nSCHEDULE = \"monthly\"\nUNIVERSE = [\"Ups\"]\n\n\ndef decide(ctx):\n    return {}\n"
	if _, err := c.models.Builder.Create(ctx, c.account, program.CreateRequest{Script: holder}); fault.TypeOf(err) != fault.InvalidScript {
		t.Errorf("a model that holds a count: %v", err)
	}

	// The same again gives the same, and a snapshot at other inputs is its own.
	v, err := c.executor.Verify(ctx, ups.Live.ID)
	check(t, err)
	if !v.Same {
		t.Errorf("%+v", v)
	}
	snapshot, err := c.counts.Runs.StartRun(ctx, c.account, ups.ID, program.RunRequest{Inputs: map[string]any{"universe": []any{"AAA"}}})
	check(t, err)
	c.execute(snapshot.ID)
	snapshot, err = c.counts.Runs.Run(ctx, c.account, snapshot.ID)
	check(t, err)
	if got := c.ups(snapshot); len(got) != 1 || got["AAA"] < found["AAA"] || snapshot.Live {
		t.Errorf("%v of %+v", got, snapshot)
	}

	// It follows the model that it reads.
	rebuilt, err := c.models.Builder.Rebuild(ctx, c.account, half.ID, program.RebuildRequest{
		Script: "NAME = \"Half\"\nSYMBOL = \"HALF\"\nSCHEDULE = \"monthly\"\nUNIVERSE = [\"AAA\"]\n\n\ndef decide(ctx):\n    return {\"AAA\": 1}\n",
	})
	check(t, err)
	c.execute(rebuilt.InFlight.ID)
	next := c.queued(ups.ID)
	if next == "" {
		t.Fatal("the count was not queued with its member")
	}
	c.execute(next)
	moved, err := c.db.Sheet(ctx, ups.ID)
	check(t, err)
	if got := c.ups(moved.Live); moved.LiveRunID != next || got["HALF"] != got["AAA"] {
		t.Errorf("%v", got)
	}

	// Its objects are named: the sweep leaves them, until the purge lets go of them.
	sweep := func() int {
		deleted := 0
		s := &result.Sweeper{Store: c.db, Bucket: c.bucket, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Now().Add(time.Hour) }, Deleted: func(n int) { deleted += n }}
		check(t, s.Sweep(ctx))
		return deleted
	}
	if n := sweep(); n != 0 {
		t.Errorf("%d objects were swept", n)
	}
	findings, err := c.db.CheckLives(ctx)
	check(t, err)
	for _, f := range findings {
		t.Errorf("%s %s", f.ID, f.Message)
	}
	_, err = c.counts.Trash.Delete(ctx, c.account, ups.ID)
	check(t, err)
	if trashed, total, err := c.counts.Trash.Trash(ctx, c.account, 10, 0); err != nil || total != 1 || trashed[0].ID != ups.ID {
		t.Errorf("%d in the Trash: %v", total, err)
	}
	if _, total, err := c.models.Trash.Trash(ctx, c.account, 10, 0); err != nil || total != 0 {
		t.Errorf("%d in the Trash of models: %v", total, err)
	}
	if listed, total, err := c.models.Models.Models(ctx, c.account, program.ModelFilter{Limit: 10}); err != nil || total != 1 || listed[0].ID != half.ID {
		t.Errorf("%d models: %v", total, err)
	}
	if _, err := c.counts.Trash.Restore(ctx, c.account, ups.ID); err != nil {
		t.Error(err)
	}
	_, err = c.counts.Trash.Delete(ctx, c.account, ups.ID)
	check(t, err)
	if _, err := c.counts.Trash.Purge(ctx, c.account, ups.ID); err != nil {
		t.Error(err)
	}
	if n := sweep(); n != 3 {
		t.Errorf("%d objects were swept after the purge", n)
	}
}
