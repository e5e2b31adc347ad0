package postgres_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/audit"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/postgres"
	"ballast/postgres/postgrestest"
	"ballast/program"
	"ballast/timeseries/bars"
)

// recordFormer is for the day on which the dump is replaced. Run it on the code that
// wrote the dump: the file records what that code read.
var recordFormer = flag.Bool("record-former", false, "rewrite testdata/former/contents.txt from the dump, read by the code as it is now")

const (
	formerDump     = "testdata/former/schema.sql.gz"
	formerContents = "testdata/former/contents.txt"
)

// TestMigrateFormerDatabase migrates a database from before programs had kinds, dumped by
// pg_dump while runs were in progress. The stores must read the same from it as they did
// then.
func TestMigrateFormerDatabase(t *testing.T) {
	t.Parallel()
	db := loadFormer(t)
	must(t, db.Migrate(t.Context()))

	got := formerReport(t, db)
	if *recordFormer {
		must(t, os.WriteFile(formerContents, []byte(got), 0o600))
	}
	want, err := os.ReadFile(formerContents)
	must(t, err)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the migrated database differs from the former one (-former +migrated):\n%s", diff)
	}

	ledger, err := db.CheckLedger(t.Context())
	must(t, err)
	lives, err := db.CheckLives(t.Context())
	must(t, err)
	if len(ledger)+len(lives) > 0 {
		t.Errorf("after the migration: ledger %v, models %v", ledger, lives)
	}

	before := contents(t, db)
	must(t, db.Migrate(t.Context()))
	if diff := cmp.Diff(before, contents(t, db)); diff != "" {
		t.Errorf("a second migration changed rows:\n%s", diff)
	}
}

// TestFormerDatabaseGoesOn does with migrated rows what the service does next: it ends
// the runs that were in progress, and changes, deletes and restores models.
func TestFormerDatabaseGoesOn(t *testing.T) {
	t.Parallel()
	db := loadFormer(t)
	must(t, db.Migrate(t.Context()))
	acme, err := db.AccountByName(t.Context(), "acme")
	must(t, err)
	models, err := db.ModelsByKey(t.Context(), acme.ID, []string{"CORE", "TOP", "SLOW", "SECOND"})
	must(t, err)
	if len(models) != 4 {
		t.Fatalf("found %d of 4 models", len(models))
	}
	for _, symbol := range []string{"SLOW", "SECOND", "TOP"} {
		m := sheet(t, db, models[symbol].ID)
		if m.InFlight == nil {
			t.Fatalf("%s has no run in flight", symbol)
		}
		p := publication(m.InFlight.ID, m.InFlight.Members...)
		p.FinishedAt = m.InFlight.CreatedAt.AddDate(0, 0, 1)
		p.Strategy, p.Figures = "strategy of "+symbol, figures(0.5)
		must(t, db.Publish(t.Context(), p))
		after := sheet(t, db, m.ID)
		if after.Status != program.StatusActive || after.LiveRunID != m.InFlight.ID {
			t.Errorf("%s after its run: %s, live run %s, want %s", symbol, after.Status, after.LiveRunID, m.InFlight.ID)
		}
	}
	trashed, _, err := db.Trash(t.Context(), program.KindModel, acme.ID, models["CORE"].CreatedAt, 10, 0)
	must(t, err)
	if len(trashed) != 1 {
		t.Fatalf("%d models in the Trash, want 1", len(trashed))
	}
	must(t, db.RestoreModel(t.Context(), acme.ID, trashed[0].ID, trashed[0].DeletedAt))
	if m := sheet(t, db, trashed[0].ID); m.Status != program.StatusActive || m.LiveRunID == "" {
		t.Errorf("the restored model is %s, live run %q", m.Status, m.LiveRunID)
	}
	lives, err := db.CheckLives(t.Context())
	must(t, err)
	if len(lives) > 0 {
		t.Errorf("findings %v", lives)
	}
}

// loadFormer returns a database with the schema and the rows of the dump.
func loadFormer(t *testing.T) *postgres.DB {
	t.Helper()
	dsn := postgrestest.NewFrom(t, "former", func(ctx context.Context, dsn string) error {
		file, err := os.Open(formerDump)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		unpacked, err := gzip.NewReader(file)
		if err != nil {
			return err
		}
		statements, err := io.ReadAll(unpacked)
		if err != nil {
			return err
		}
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		_, err = conn.PgConn().Exec(ctx, string(statements)).ReadAll()
		return err
	})
	db, err := postgres.Open(t.Context(), dsn, postgres.Config{MaxConns: 4})
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

// formerReport prints as plain text what the stores read. The words are written out here,
// so that renaming a field does not change the report.
func formerReport(t *testing.T, db *postgres.DB) string {
	t.Helper()
	r := &report{t: t, db: db}
	accounts, err := db.Accounts(t.Context())
	must(t, err)
	slices.SortFunc(accounts, func(a, b *account.Account) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range accounts {
		r.account(a.ID)
	}
	r.market()
	return r.String()
}

type report struct {
	strings.Builder
	t  *testing.T
	db *postgres.DB
}

func (r *report) line(format string, args ...any) { fmt.Fprintf(r, format+"\n", args...) }

func (r *report) account(accountID string) {
	ctx, t, db := r.t.Context(), r.t, r.db
	t.Helper()
	a, err := db.Account(ctx, accountID)
	must(t, err)
	c := a.Collections
	r.line("account %s %s %q plan %s role %s grant %d: %d models %d runs %d backfills %d webhooks %d in the Trash",
		a.ID, a.Name, a.Email, a.Plan, a.Role, a.GrantCents, c.Models, c.Runs, c.Backfills, c.Webhooks, c.Trash)
	keys, err := db.Keys(ctx, accountID, "")
	must(t, err)
	for _, k := range keys {
		r.line("key %s %q %s", k.ID, k.Name, k.Prefix)
	}
	models, total, err := db.Models(ctx, accountID, program.ModelFilter{Limit: 100})
	must(t, err)
	r.line("%d models", total)
	for _, m := range models {
		r.model(m.ID)
	}
	trashed, total, err := db.Trash(ctx, program.KindModel, accountID, a.CreatedAt, 100, 0)
	must(t, err)
	r.line("%d in the Trash", total)
	for _, m := range trashed {
		r.line("trashed %s %s %s deleted %s purged %s", m.ID, m.Symbol, m.Name, stamp(m.DeletedAt), stamp(m.PurgeAt))
		r.builds(m.ID, true)
		r.runs(m.ID, true)
	}
	r.backfills(accountID)
	r.webhooks(accountID)
	r.money(accountID)
	entries, total, err := db.Entries(ctx, audit.Filter{AccountID: accountID, Limit: 200})
	must(t, err)
	r.line("%d audited", total)
	for _, e := range entries {
		r.line("audit %s by %s %s: %s %q", stamp(e.At), e.Actor, e.ActorID, e.Operation, e.Targets)
	}
}

func (r *report) model(modelID string) {
	ctx, t, db := r.t.Context(), r.t, r.db
	t.Helper()
	m := sheet(t, db, modelID)
	models, assets := m.Structure()
	r.line("model %s %s %q slug %s %s warning %q depth %d structure %d %d", m.ID, m.Symbol, m.Name, m.Slug, m.Status, m.Warning, m.Depth, models, assets)
	r.line("  build %s live %q revision %q waits %t failures %d outcome %q", m.BuildID, m.LiveRunID, m.RevisionID, m.Waits, m.Failures, m.LastOutcome)
	r.line("  auto %t mail %t public %t favorite %s labels %q own name %t symbol %t", m.AutoUpdate, m.NotifyEmail, m.IsPublic, text(m.IsFavorite), m.Labels, m.OwnName, m.OwnSymbol)
	r.line("  prompt %q description %q start %s rule %s made %s", m.Prompt, m.Description, m.StartDate, m.StartRule, stamp(m.CreatedAt))
	r.line("  failure %s held by %s", text(m.Failure), text(m.HeldBy))
	if m.InFlight != nil {
		r.line("  in flight %s %s", m.InFlight.ID, m.InFlight.Status)
	}
	below, err := db.Below(ctx, []string{modelID})
	must(t, err)
	for _, e := range below {
		r.line("  holds %s %q", e.MemberID, e.MemberName)
	}
	r.builds(modelID, false)
	r.runs(modelID, false)
	saved, strategy, err := db.Draft(ctx, modelID)
	if m.LiveRunID == "" {
		r.line("  no draft: %s", fault.TypeOf(err))
	} else {
		must(t, err)
		r.line("  strategy %s script %d bytes prompt %q", strategy.Hash, len(strategy.Script), strategy.Prompt)
		if saved != nil {
			r.line("  draft version %d base %s script %d bytes prompt %s at %s", saved.Version, saved.BaseHash, len(orEmpty(saved.Script)), text(saved.Prompt), stamp(saved.UpdatedAt))
		}
	}
	revisions, total, err := db.Revisions(ctx, modelID, program.RevisionFilter{Limit: 100})
	must(t, err)
	r.line("  %d revisions", total)
	for _, listed := range revisions {
		v, err := db.Revision(ctx, modelID, listed.ID)
		must(t, err)
		r.line("  revision %s number %d %q %s %s current %t tested %t base %q strategy %q draft %d key %q run %q build %s failure %s applied %s",
			v.ID, v.Number, v.Label, v.Kind, v.Status, v.Current, v.Tested, v.BaseHash, v.Strategy, v.DraftVersion, v.RequestKey, v.RunID, v.BuildID, text(v.Failure), text(v.AppliedAt))
	}
	trials, err := db.Trials(ctx, modelID)
	must(t, err)
	slices.Sort(trials)
	r.line("  trials %v", trials)
}

// builds reports less of models in the Trash: their scripts are not read.
func (r *report) builds(modelID string, trashed bool) {
	t := r.t
	t.Helper()
	builds, total, err := r.db.Builds(t.Context(), modelID, 100, 0)
	must(t, err)
	r.line("  %d builds", total)
	for _, b := range builds {
		if !trashed {
			b, err = r.db.Build(t.Context(), b.ID)
			must(t, err)
		}
		r.line("  build %s %s %s script %s of %d bytes inputs %d bytes prompt %q generator %q entries %s causality %s failure %s usage %s",
			b.ID, b.Kind, b.Status, b.ScriptHash, len(b.Script), len(b.InputsSchema), b.Prompt, b.Generator, text(b.Entries), text(b.Causality), text(b.Failure), text(b.Usage))
	}
}

func (r *report) runs(modelID string, trashed bool) {
	t := r.t
	t.Helper()
	runs, total, err := r.db.Runs(t.Context(), modelID, program.RunFilter{Limit: 100})
	must(t, err)
	r.line("  %d runs", total)
	for _, run := range runs {
		if !trashed {
			run = readRun(t, r.db, run.ID)
		}
		r.line("  run %s of %q build %s %s %s intent %q label %q shared %t live %t publishes %t superseded %t",
			run.ID, run.ProgramName, run.BuildID, run.Source, run.Status, run.Intent, run.Label, run.Shared, run.Live, run.Publishes, run.Superseded)
		r.line("    inputs %s harness %s data %q base %s first %s last %s result %q", run.Inputs, run.HarnessVersion, run.DataVersion, run.Base, run.First, run.Last, run.ResultHash)
		r.line("    members %s", text(run.Members))
		if run.Summary != nil {
			r.line("    final value %v of %v", run.Summary.FinalValue, run.Summary.InitialCash)
		}
		r.line("    usage %s failure %s at %s", text(run.Usage), text(run.Failure), text(run.FinishedAt))
	}
}

func (r *report) backfills(accountID string) {
	t := r.t
	t.Helper()
	backfills, total, err := r.db.Backfills(t.Context(), accountID, 100, 0)
	must(t, err)
	r.line("%d backfills", total)
	for _, b := range backfills {
		r.line("backfill %s of %s %s version %d sources %s", b.ID, b.AssetID, b.Symbol, b.Version, text(b.Sources))
	}
}

func (r *report) webhooks(accountID string) {
	ctx, t := r.t.Context(), r.t
	t.Helper()
	webhooks, total, err := r.db.Webhooks(ctx, accountID, 100, 0)
	must(t, err)
	r.line("%d webhooks", total)
	for _, w := range webhooks {
		r.line("webhook %s events %v enabled %t disabled %q", w.ID, w.Events, w.Enabled, w.Disabled)
		deliveries, total, err := r.db.Deliveries(ctx, accountID, w.ID, "", 100, 0)
		must(t, err)
		r.line("  %d deliveries", total)
		for _, d := range deliveries {
			r.line("  delivery %s event %s %s of %q run %q former %q %s attempts %d last %s", d.ID, d.EventID, d.Kind, d.ProgramID, d.RunID, d.FormerRunID, d.Status, d.Attempts, text(d.LastStatus))
		}
	}
}

func (r *report) money(accountID string) {
	ctx, t := r.t.Context(), r.t
	t.Helper()
	s, err := r.db.Statement(ctx, accountID)
	must(t, err)
	r.line("remaining %d held %d spent %d signup %d", s.RemainingCents, s.HeldCents, s.SpentCents, s.SignupGrantCents)
	charges, total, err := r.db.Charges(ctx, accountID, billing.Filter{Limit: 200})
	must(t, err)
	r.line("%d charges", total)
	for _, c := range charges {
		r.line("charge %s %s %s %q of %q run %q build %q units %d amount %d billed %t", c.ID, stamp(c.At), c.Kind, c.Activity, c.ProgramID, c.RunID, c.BuildID, c.Units, c.AmountCents, c.Billed)
	}
}

// market is what all accounts share: assets and the manifest of their bars.
func (r *report) market() {
	ctx, t := r.t.Context(), r.t
	t.Helper()
	found, err := r.db.BySymbol(ctx, []string{"WORLD", "BOND", "GOLD", "LATE"})
	must(t, err)
	slices.SortFunc(found.Assets, func(a, b bars.Asset) int { return strings.Compare(a.Symbol, b.Symbol) })
	r.line("bars version %d", found.Version)
	for _, a := range found.Assets {
		r.line("asset %s %s %s to %s, %d bars at version %d", a.ID, a.Symbol, a.First, a.Last, a.Rows, a.Version)
	}
	objects, err := r.db.NamedObjects(ctx)
	must(t, err)
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		r.line("object %s of %d bytes", key, objects[key])
	}
	var jobs int
	must(t, r.db.Pool().QueryRow(ctx, "select count(*) from river_job where kind = 'run'").Scan(&jobs))
	r.line("%d jobs of runs", jobs)
}

// text returns a value as JSON with the stored names as keys.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
