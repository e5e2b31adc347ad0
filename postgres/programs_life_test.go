package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/postgres"
	"ballast/program"
)

// trashed is when the tests move models to the Trash, and purged is when those expire.
var (
	trashed = morning.Add(time.Hour)
	purged  = trashed.Add(program.Retention)
)

func deletion(accountID, modelID string) program.Deletion {
	return program.Deletion{AccountID: accountID, ModelID: modelID, At: trashed, PurgeAt: purged}
}

var unbegun = program.Failure{Type: "internal", Message: "trashed"}

func trash(t testing.TB, db *postgres.DB, d draft) {
	t.Helper()
	must(t, db.DeleteModel(t.Context(), deletion(d.model.AccountID, d.model.ID), unbegun))
}

func snapshotOf(d draft) *program.Run {
	r := newRun(d.model, d.build.ID, program.SourceManual)
	r.Publishes = false
	return r
}

// given is a change to a value.
func given[T any](to T) program.Change[T] { return program.Change[T]{Given: true, To: to} }

// pause fails the refreshes of a model until it is paused.
func pause(t testing.TB, db *postgres.DB, d draft) {
	t.Helper()
	for range 5 {
		r := newRun(d.model, d.build.ID, program.SourceRefresh)
		must(t, db.CreateRun(t.Context(), r, 0))
		must(t, db.FailRun(t.Context(), r.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
	}
}

// lives are the states of a model, each reached from a new one.
var lives = []struct {
	name string
	make func(t *testing.T, db *postgres.DB, a string) draft
}{
	{"building", func(t *testing.T, db *postgres.DB, a string) draft { return create(t, db, a, "X") }},
	{"failed", func(t *testing.T, db *postgres.DB, a string) draft {
		d := create(t, db, a, "X")
		must(t, db.FailRun(t.Context(), d.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "x"}}))
		return d
	}},
	{"active", func(t *testing.T, db *postgres.DB, a string) draft { return active(t, db, a, "X") }},
	{"rerun", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		rerun(t, db, d)
		return d
	}},
	{"updating", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		must(t, db.CreateRun(t.Context(), newRun(d.model, d.build.ID, program.SourceManual), 0))
		return d
	}},
	{"rebuilding", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		must(t, rebuild(t, db, d, "").err)
		return d
	}},
	{"promoting", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		must(t, promote(t, db, d, d.build.ID).err)
		return d
	}},
	{"snapshot queued", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		must(t, db.CreateRun(t.Context(), snapshotOf(d), 0))
		return d
	}},
	{"snapshot running", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		r := snapshotOf(d)
		must(t, db.CreateRun(t.Context(), r, 0))
		_, _, _, err := db.StartRun(t.Context(), r.ID)
		must(t, err)
		return d
	}},
	{"paused", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		pause(t, db, d)
		return d
	}},
	{"held", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID))
		return d
	}},
	{"held in the trash", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		trash(t, db, active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID)))
		return d
	}},
	{"trashed", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		trash(t, db, d)
		return d
	}},
	{"trashed with its member", func(t *testing.T, db *postgres.DB, a string) draft {
		member := active(t, db, a, "MEMBER")
		d := active(t, db, a, "X", modelMember(t, db, member.model.ID))
		trash(t, db, d)
		trash(t, db, member)
		return d
	}},
	{"trashed, its symbol taken", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		trash(t, db, d)
		active(t, db, a, "X")
		return d
	}},
	{"restored", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		trash(t, db, d)
		must(t, db.RestoreModel(t.Context(), a, d.model.ID, trashed))
		return d
	}},
	{"purged", func(t *testing.T, db *postgres.DB, a string) draft {
		d := active(t, db, a, "X")
		trash(t, db, d)
		must(t, db.PurgeModel(t.Context(), deletion(a, d.model.ID)))
		return d
	}},
}

// deeds are the operations on the model and its first run.
var deeds = []struct {
	name string
	do   func(t *testing.T, db *postgres.DB, a string, d draft) error
}{
	{"read", func(t *testing.T, db *postgres.DB, _ string, d draft) error {
		_, err := db.Sheet(t.Context(), d.model.ID)
		return err
	}},
	{"rename", func(t *testing.T, db *postgres.DB, _ string, d draft) error {
		return db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{Name: given("Other")})
	}},
	{"recur", func(t *testing.T, db *postgres.DB, _ string, d draft) error {
		return db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{AutoUpdate: given(true)})
	}},
	{"run", func(t *testing.T, db *postgres.DB, a string, d draft) error {
		r := newRun(d.model, d.build.ID, program.SourceManual)
		r.AccountID = a
		return db.CreateRun(t.Context(), r, 0)
	}},
	{"test", func(t *testing.T, db *postgres.DB, a string, d draft) error {
		r := snapshotOf(d)
		r.AccountID, r.Intent = a, "test"
		return db.CreateRun(t.Context(), r, 0)
	}},
	{"rebuild", func(t *testing.T, db *postgres.DB, _ string, d draft) error { return rebuild(t, db, d, "").err }},
	{"promote", func(t *testing.T, db *postgres.DB, a string, d draft) error {
		b, r := promotion(d)
		b.AccountID, r.AccountID = a, a
		return db.Promote(t.Context(), b, r, d.build.ID)
	}},
	{"delete", func(t *testing.T, db *postgres.DB, a string, d draft) error {
		return db.DeleteModel(t.Context(), deletion(a, d.model.ID), unbegun)
	}},
	{"restore", func(t *testing.T, db *postgres.DB, a string, d draft) error {
		return db.RestoreModel(t.Context(), a, d.model.ID, trashed)
	}},
	{"purge", func(t *testing.T, db *postgres.DB, a string, d draft) error {
		return db.PurgeModel(t.Context(), deletion(a, d.model.ID))
	}},
	{"read run", func(t *testing.T, db *postgres.DB, _ string, d draft) error {
		_, err := db.Run(t.Context(), d.run.ID)
		return err
	}},
	{"read build", func(t *testing.T, db *postgres.DB, _ string, d draft) error {
		_, err := db.Build(t.Context(), d.build.ID)
		return err
	}},
	{"share run", func(t *testing.T, db *postgres.DB, _ string, d draft) error {
		return db.PatchRun(t.Context(), d.run.ID, program.RunPatch{Shared: given(true)})
	}},
	{"delete run", func(t *testing.T, db *postgres.DB, _ string, d draft) error {
		return db.DeleteRun(t.Context(), d.run.ID)
	}},
}

// answers lists what each operation answers in each state, "" for success, in the order
// of deeds.
var answers = map[string][]fault.Type{
	//                 read, rename, recur, run, test, rebuild, promote, delete, restore, purge, read run, read build, share run, delete run
	"building":          {"", "", "not_ready", "run_conflict", "not_ready", "rebuild_conflict", "run_conflict", "model_busy", "not_found", "not_found", "", "", "", "run_in_flight"},
	"failed":            {"", "", "not_ready", "not_ready", "not_ready", "", "not_ready", "", "not_found", "not_found", "", "", "", ""},
	"active":            {"", "", "", "", "", "", "", "", "not_found", "not_found", "", "", "", "run_live"},
	"rerun":             {"", "", "", "", "", "", "", "", "not_found", "not_found", "", "", "", ""},
	"updating":          {"", "", "", "run_conflict", "", "", "run_conflict", "model_busy", "not_found", "not_found", "", "", "", "run_live"},
	"rebuilding":        {"", "", "", "run_conflict", "", "rebuild_conflict", "run_conflict", "model_busy", "not_found", "not_found", "", "", "", "run_live"},
	"promoting":         {"", "", "", "run_conflict", "", "rebuild_conflict", "run_conflict", "model_busy", "not_found", "not_found", "", "", "", "run_live"},
	"snapshot queued":   {"", "", "", "", "", "", "", "", "not_found", "not_found", "", "", "", "run_live"},
	"snapshot running":  {"", "", "", "", "", "", "", "model_busy", "not_found", "not_found", "", "", "", "run_live"},
	"paused":            {"", "", "", "", "", "", "", "", "not_found", "not_found", "", "", "", "run_live"},
	"held":              {"", "", "", "", "", "", "", "model_held", "not_found", "not_found", "", "", "", "run_live"},
	"held in the trash": {"", "", "", "", "", "", "", "", "not_found", "not_found", "", "", "", "run_live"},
	"trashed": {"not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "", "",
		"not_found", "not_found", "not_found", "not_found"},
	"trashed with its member": {"not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "trash_dependencies", "",
		"not_found", "not_found", "not_found", "not_found"},
	"trashed, its symbol taken": {"not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "symbol_taken", "",
		"not_found", "not_found", "not_found", "not_found"},
	"restored": {"", "", "", "", "", "", "", "", "not_found", "not_found", "", "", "", "run_live"},
	"purged": {"not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found", "not_found",
		"not_found", "not_found", "not_found", "not_found"},
}

func TestEveryOperationInEveryState(t *testing.T) {
	t.Parallel()
	for _, life := range lives {
		t.Run(life.name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			if len(answers[life.name]) != len(deeds) {
				t.Fatalf("%d answers for %d operations", len(answers[life.name]), len(deeds))
			}
			stranger := newAccount(t, db, "stranger").ID
			for i, deed := range deeds {
				t.Run(deed.name, func(t *testing.T) {
					a := newAccount(t, db, "a "+deed.name).ID
					d := life.make(t, db, a)
					before := dump(t, db)
					switch deed.name { // these take the caller's account
					case "run", "test", "promote", "delete", "restore", "purge":
						wantFault(t, deed.do(t, db, stranger, d), fault.NotFound)
						if diff := cmp.Diff(before, dump(t, db)); diff != "" {
							t.Errorf("a stranger's changes: %s", diff)
						}
					}
					err := deed.do(t, db, a, d)
					if want := answers[life.name][i]; want != "" {
						wantFault(t, err, want)
						if diff := cmp.Diff(before, dump(t, db)); diff != "" {
							t.Errorf("a refusal changes: %s", diff)
						}
						return
					}
					must(t, err)
				})
			}
		})
	}
}
