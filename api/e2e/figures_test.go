package e2e

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/id"
	"ballast/internal/testenv"
	"ballast/metrics"
	"ballast/operate/doctor"
	"ballast/postgres"
	"ballast/program/result"
	"ballast/service"
	"ballast/storage/columnar"
)

// figureScript holds two assets at weights of its own.
const figureScript = `"""Two assets, rebalanced each quarter."""

NAME = "Figures %d"
SYMBOL = "FIG%d"
SCHEDULE = "quarterly"
INPUTS = {"universe": {"type": "array", "default": ["AAA", "BBB"], "title": "Universe"}}


def decide(ctx):
    first, second = ctx.inputs.universe
    return {first: 0.%d, second: 0.5}
`

// slowFiller stores the figures of a few runs, reports each on standard output, and then
// waits to be killed.
type slowFiller struct {
	*postgres.DB
	left int
}

func (s *slowFiller) KeepFigures(ctx context.Context, runID string, f *metrics.Figures) error {
	if s.left == 0 {
		fmt.Println("waiting")
		select {} // the parent kills this process
	}
	s.left--
	return s.DB.KeepFigures(ctx, runID, f)
}

// fillSlowly is the main function of a process that fills in figures and gets stuck after
// a number of them.
func fillSlowly(dsn, objects, most string) int {
	err := func() error {
		ctx := context.Background()
		db, err := postgres.Open(ctx, dsn, postgres.Config{MaxConns: 2})
		if err != nil {
			return err
		}
		s := &slowFiller{DB: db}
		if _, err := fmt.Sscan(most, &s.left); err != nil {
			return err
		}
		bucket, err := columnar.OpenBucket(ctx, objects, columnar.BucketOptions{})
		if err != nil {
			return err
		}
		results, err := result.NewStore(bucket, 1<<20)
		if err != nil {
			return err
		}
		filler := &result.FigureFiller{Store: s, Results: results, Logger: slog.New(slog.DiscardHandler)}
		return filler.Fill(ctx)
	}()
	fmt.Fprintln(os.Stderr, "the filler was not killed:", err)
	return 1
}

// TestFiguresAreCompleted checks that figures are computed from stored results if a
// process that does it is killed halfway, and that the doctor finds and corrects rows that
// are missing, belong to nothing or differ from their results.
func TestFiguresAreCompleted(t *testing.T) {
	t.Parallel()
	testenv.NotInTest(t)
	d := openDesk(t)
	g := d.guest(t, "figures")
	const models = 6
	var runs, programs []string
	for i := range models {
		a := g.want(http.MethodPost, "/v1/models", map[string]string{"script": fmt.Sprintf(figureScript, i, i, i+20)})
		model := a.get("id")
		var runID string
		check(t, d.db.Pool().QueryRow(t.Context(), "select id from runs where program_id = $1", model).Scan(&runID))
		d.run(t, runID)
		runs, programs = append(runs, runID), append(programs, model)
	}
	want, err := d.db.FiguresOf(t.Context(), runs)
	check(t, err)
	if len(want) != models {
		t.Fatalf("%d of %d runs have figures", len(want), models)
	}
	sorted := func() string {
		a := g.want(http.MethodGet, "/v1/models?include=figures&sort=-sharpe", nil)
		return a.get("data.#.id") + a.get("data.#.figures")
	}
	list := sorted()
	same := func(what string) {
		t.Helper()
		got, err := d.db.FiguresOf(t.Context(), runs)
		check(t, err)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
		if now := sorted(); now != list {
			t.Errorf("%s: the list was\n%s\nand is\n%s", what, list, now)
		}
	}
	results, err := result.NewStore(d.bucket, 1<<20)
	check(t, err)
	log := slog.New(slog.DiscardHandler)
	filler := &result.FigureFiller{Store: d.db, Results: results, Logger: log}

	// As an installation is after an update that changes a formula.
	d.exec(t, "update figures set version = 0, sharpe = 99, cagr = null, start_date = null")
	d.exec(t, "delete from figures where run_id = $1", runs[4])
	const stored = 3
	child := exec.CommandContext(t.Context(), "/proc/self/exe", "figure-filler", d.db.Pool().Config().ConnString(), d.objects, fmt.Sprint(stored))
	out, err := child.StdoutPipe()
	check(t, err)
	check(t, child.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "waiting\n" {
		t.Errorf("the filler says %q, %v", line, err)
	}
	check(t, child.Process.Kill())
	_ = child.Wait() // says that it was killed
	left, err := d.db.RunsWithoutFigures(t.Context(), "", 10)
	check(t, err)
	if len(left) != models-stored {
		t.Errorf("after the kill %d runs are left, instead of %d", len(left), models-stored)
	}
	check(t, filler.Fill(t.Context()))
	same("filled after a kill")

	checks := []doctor.Check{service.FigureCheck(&service.Storage{DB: d.db, Bucket: d.bucket}, results, log)}
	if r := doctor.Examine(t.Context(), checks, false); !r.Sound() || len(r.Findings) > 0 {
		t.Errorf("sound figures: %+v", r)
	}
	unfinished := g.want(http.MethodPost, "/v1/models/"+programs[0]+"/runs", `{"inputs": {}}`).get("id")
	runID, ok := id.Parse(id.Run, unfinished)
	if !ok {
		t.Fatalf("no run: %q", unfinished)
	}
	d.exec(t, "delete from figures where run_id = $1", runs[0])
	d.exec(t, "update figures set max_drawdown = max_drawdown * 1.0001 where run_id = $1", runs[1])
	d.exec(t, "update figures set live = false where run_id = $1", runs[2])
	d.exec(t, "update figures set max_drawdown_valley = max_drawdown_valley + 1 where run_id = $1", runs[3])
	d.exec(t, "update figures set version = 0 where run_id = $1", runs[4])
	d.exec(t, "update figures set created_at = created_at + interval '1 day' where run_id = $1", runs[5])
	d.exec(t, "insert into figures (run_id, program_id, account_id, live, version, created_at) select $1, program_id, account_id, false, version, created_at from figures where run_id = $2", runID, runs[1])
	report := doctor.Examine(t.Context(), checks, false)
	for subject, words := range map[string]string{
		runs[0]: "no row", runs[1]: "max_drawdown =", runs[2]: "not marked as served", runs[3]: "max_drawdown_valley",
		runs[4]: "current formulas", runs[5]: "another model, account or time", runID: "not complete",
	} {
		found := 0
		for _, f := range report.Findings {
			if f.Subject == subject && strings.Contains(f.Message, words) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s: no finding has %q: %+v", subject, words, report.Findings)
		}
	}
	if r := doctor.Examine(t.Context(), checks, true); !r.Sound() || len(r.Findings) < 7 {
		t.Errorf("after repairing: %+v", r)
	}
	var strays int
	check(t, d.db.Pool().QueryRow(t.Context(), "select count(*) from figures where run_id = $1", runID).Scan(&strays))
	if strays > 0 {
		t.Error("the figures of a run that is not complete are still there")
	}
	same("repaired")
}

// exec changes rows behind the service's back.
func (d *desk) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	_, err := d.db.Pool().Exec(t.Context(), statement, args...)
	check(t, err)
}
