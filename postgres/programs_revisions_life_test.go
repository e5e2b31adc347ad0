package postgres_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/internal/testenv"
	"ballast/postgres"
	"ballast/program"
)

// revised is a model, and possibly a test of its draft.
type revised struct {
	draft
	test tested
}

// drafted returns a function that creates a model, tests its draft and calls then.
func drafted(then func(t *testing.T, db *postgres.DB, d revised)) func(t *testing.T, db *postgres.DB, a string) revised {
	return func(t *testing.T, db *postgres.DB, a string) revised {
		d := revised{draft: active(t, db, a, "X")}
		must(t, edit(t.Context(), db, d.model.ID, "# edited"))
		d.test = testDraft(t, db, d.draft, "one")
		must(t, d.test.err)
		then(t, db, d)
		return d
	}
}

// successful is drafted with a successful test.
func successful(then func(t *testing.T, db *postgres.DB, d revised)) func(t *testing.T, db *postgres.DB, a string) revised {
	return drafted(func(t *testing.T, db *postgres.DB, d revised) {
		publish(t, db, d.test.Run.ID)
		then(t, db, d)
	})
}

// editions are the states of a draft and its test.
var editions = []struct {
	name string
	make func(t *testing.T, db *postgres.DB, a string) revised
}{
	{"building", func(t *testing.T, db *postgres.DB, a string) revised { return revised{draft: create(t, db, a, "X")} }},
	{"failed", func(t *testing.T, db *postgres.DB, a string) revised {
		d := create(t, db, a, "X")
		must(t, db.FailRun(t.Context(), d.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "x"}}))
		return revised{draft: d}
	}},
	{"never edited", func(t *testing.T, db *postgres.DB, a string) revised { return revised{draft: active(t, db, a, "X")} }},
	{"test queued", drafted(func(*testing.T, *postgres.DB, revised) {})},
	{"test running", drafted(func(t *testing.T, db *postgres.DB, d revised) {
		_, _, _, err := db.StartRun(t.Context(), d.test.Run.ID)
		must(t, err)
	})},
	{"test failed", drafted(func(t *testing.T, db *postgres.DB, d revised) {
		must(t, db.FailRun(t.Context(), d.test.Run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "x"}}))
	})},
	{"tested", successful(func(*testing.T, *postgres.DB, revised) {})},
	{"tested, run in flight", successful(func(t *testing.T, db *postgres.DB, d revised) {
		must(t, db.CreateRun(t.Context(), newRun(d.model, d.build.ID, program.SourceManual), 0))
	})},
	{"tested, rebuilding", successful(func(t *testing.T, db *postgres.DB, d revised) { must(t, rebuild(t, db, d.draft, "").err) })},
	{"tested, promoting", successful(func(t *testing.T, db *postgres.DB, d revised) {
		must(t, promote(t, db, d.draft, d.build.ID).err)
	})},
	{"tested, rebuilt", successful(func(t *testing.T, db *postgres.DB, d revised) {
		next := rebuild(t, db, d.draft, "")
		must(t, next.err)
		publish(t, db, next.run.ID)
	})},
	{"tested, run deleted", successful(func(t *testing.T, db *postgres.DB, d revised) {
		must(t, db.DeleteRun(t.Context(), d.test.Run.ID))
	})},
	{"tested, paused", successful(func(t *testing.T, db *postgres.DB, d revised) { pause(t, db, d.draft) })},
	{"applied", successful(func(t *testing.T, db *postgres.DB, d revised) { must(t, d.test.apply(t, db)) })},
	{"applied, rebuilt", successful(func(t *testing.T, db *postgres.DB, d revised) {
		must(t, d.test.apply(t, db))
		next := rebuild(t, db, d.draft, "")
		must(t, next.err)
		publish(t, db, next.run.ID)
	})},
	{"trashed", successful(func(t *testing.T, db *postgres.DB, d revised) { trash(t, db, d.draft) })},
	{"restored", successful(func(t *testing.T, db *postgres.DB, d revised) {
		trash(t, db, d.draft)
		must(t, db.RestoreModel(t.Context(), d.model.AccountID, d.model.ID, trashed))
	})},
	{"purged", successful(func(t *testing.T, db *postgres.DB, d revised) {
		trash(t, db, d.draft)
		must(t, db.PurgeModel(t.Context(), deletion(d.model.AccountID, d.model.ID)))
	})},
}

// edits are the operations on drafts and their tests.
var edits = []struct {
	name string
	do   func(t *testing.T, db *postgres.DB, d revised) error
}{
	{"read draft", func(t *testing.T, db *postgres.DB, d revised) error {
		_, _, err := db.Draft(t.Context(), d.model.ID)
		return err
	}},
	{"save draft", func(t *testing.T, db *postgres.DB, d revised) error {
		return edit(t.Context(), db, d.model.ID, "# edited again")
	}},
	{"test draft", func(t *testing.T, db *postgres.DB, d revised) error {
		return testDraft(t, db, d.draft, "two").err
	}},
	{"read revision", func(t *testing.T, db *postgres.DB, d revised) error {
		_, err := db.Revision(t.Context(), d.model.ID, d.revisionID())
		return err
	}},
	{"label", func(t *testing.T, db *postgres.DB, d revised) error {
		return db.LabelRevision(t.Context(), d.model.ID, d.revisionID(), "named")
	}},
	{"apply", func(t *testing.T, db *postgres.DB, d revised) error {
		return applyRevision(t.Context(), db, program.Application{ModelID: d.model.ID, RevisionID: d.revisionID(), Identity: &program.Identity{}})
	}},
	{"delete its run", func(t *testing.T, db *postgres.DB, d revised) error {
		if d.test.Run == nil {
			return db.DeleteRun(t.Context(), id.New(id.Run))
		}
		return db.DeleteRun(t.Context(), d.test.Run.ID)
	}},
	{"delete the model", func(t *testing.T, db *postgres.DB, d revised) error {
		return db.DeleteModel(t.Context(), deletion(d.model.AccountID, d.model.ID), unbegun)
	}},
}

// revisionID returns the test's id, or one that does not exist.
func (d revised) revisionID() string {
	if d.test.id == "" {
		return id.New(id.Revision)
	}
	return d.test.id
}

// editAnswers lists what each operation answers in each state, "" for success, in the
// order of edits.
var editAnswers = map[string][]fault.Type{
	//                       read draft, save draft, test draft, read revision, label, apply, delete its run, delete the model
	"building":              {"not_ready", "not_ready", "not_ready", "not_found", "not_found", "not_found", "not_found", "model_busy"},
	"failed":                {"not_ready", "not_ready", "not_ready", "not_found", "not_found", "not_found", "not_found", ""},
	"never edited":          {"", "", "", "not_found", "not_found", "not_found", "not_found", ""},
	"test queued":           {"", "", "", "", "not_ready", "not_applicable", "run_in_flight", ""},
	"test running":          {"", "", "", "", "not_ready", "not_applicable", "run_in_flight", "model_busy"},
	"test failed":           {"", "", "", "", "", "not_applicable", "", ""},
	"tested":                {"", "", "", "", "", "", "", ""},
	"tested, run in flight": {"", "", "", "", "", "run_conflict", "", "model_busy"},
	"tested, rebuilding":    {"", "", "", "", "", "rebuild_conflict", "", "model_busy"},
	"tested, promoting":     {"", "", "", "", "", "rebuild_conflict", "", "model_busy"},
	"tested, rebuilt":       {"", "", "", "", "", "base_changed", "", ""},
	"tested, run deleted":   {"", "", "", "", "", "not_applicable", "not_found", ""},
	"tested, paused":        {"", "", "", "", "", "", "", ""},
	"applied":               {"", "", "", "", "", "", "run_live", ""},
	"applied, rebuilt":      {"", "", "", "", "", "base_changed", "", ""},
	"trashed":               {"not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found"},
	"restored":              {"", "", "", "", "", "", "", ""},
	"purged":                {"not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found"},
}

func TestEveryEditInEveryState(t *testing.T) {
	t.Parallel()
	for _, edition := range editions {
		t.Run(edition.name, func(t *testing.T) {
			t.Parallel()
			db := open(t) // of its own: each refusal is checked against all stored rows
			for i, e := range edits {
				t.Run(e.name, func(t *testing.T) {
					d := edition.make(t, db, newAccount(t, db, edition.name+" "+e.name).ID)
					before := dump(t, db)
					err := e.do(t, db, d)
					want := editAnswers[edition.name][i]
					if want == "" {
						must(t, err)
						return
					}
					wantFault(t, err, want)
					if diff := cmp.Diff(before, dump(t, db)); diff != "" {
						t.Errorf("a refusal changes: %s", diff)
					}
				})
			}
		})
	}
}

// TestTheTableOfEditsIsPrinted compares the table in docs/ with editAnswers.
func TestTheTableOfEditsIsPrinted(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("| model and test |")
	for _, e := range edits {
		fmt.Fprintf(&table, " %s |", e.name)
	}
	table.WriteString("\n|---|" + strings.Repeat("---|", len(edits)) + "\n")
	for _, edition := range editions {
		fmt.Fprintf(&table, "| %s |", edition.name)
		for _, answer := range editAnswers[edition.name] {
			if answer == "" {
				answer = "yes"
			}
			fmt.Fprintf(&table, " %s |", answer)
		}
		table.WriteString("\n")
	}
	page, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "drafts.md"))
	must(t, err)
	if !strings.Contains(string(page), table.String()) {
		t.Errorf("docs/drafts.md lacks this table:\n%s", table.String())
	}
}
