package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/id"
	"ballast/program"
	"ballast/query/segments"
)

// segmentOf returns a written segment with files of a kilobyte.
func segmentOf() *segments.Segment {
	s := &segments.Segment{ID: id.New("segment_"), Tables: program.Tables{}}
	for _, t := range segments.Tables {
		s.Tables[string(t)] = program.Object{Key: segments.Prefix + s.ID + "." + string(t) + ".parquet", Bytes: 1024}
	}
	return s
}

// TestRunsToGather lists the runs that a live run has read, also if a member has moved on
// since, and nothing of another account or of the Trash.
func TestRunsToGather(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, other := newAccount(t, db, "a").ID, newAccount(t, db, "other").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	parent := active(t, db, a, "PARENT", modelMember(t, db, child.model.ID))
	trashed := active(t, db, a, "TRASHED", assetMember("SPY"))
	_, err := db.Pool().Exec(t.Context(), "update programs set deleted_at = now(), purge_at = now() where id = $1", trashed.model.ID)
	must(t, err)
	active(t, db, other, "OTHER", assetMember("SPY"))

	want := map[string]string{child.run.ID: child.model.ID, parent.run.ID: parent.model.ID}
	got := map[string]string{}
	runs, err := db.RunsToGather(t.Context(), a)
	must(t, err)
	for _, r := range runs {
		got[r.ID] = r.ModelID
		if r.Daily == "" || r.Ledger == "" {
			t.Errorf("%+v has no files", r)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// The member no longer serves that run; the holder's live run was computed on it.
	_, err = db.Pool().Exec(t.Context(), "update programs set live_run_id = null, status = 'failed' where id = $1", child.model.ID)
	must(t, err)
	if runs, err = db.RunsToGather(t.Context(), a); err != nil || len(runs) != 2 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	accounts, err := db.AccountsWithResults(t.Context())
	if must(t, err); len(accounts) != 2 {
		t.Errorf("accounts %v", accounts)
	}
}

func TestCommitSegments(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "ONE", assetMember("SPY"))
	runs := []segments.Run{{ID: d.run.ID, ModelID: d.model.ID}}
	first, second := segmentOf(), segmentOf()
	read := func() ([]segments.Segment, int64) {
		current, generation, err := db.Segments(t.Context(), a)
		must(t, err)
		return current, generation
	}
	if current, generation := read(); len(current) != 0 || generation != 0 {
		t.Errorf("%v, generation %d", current, generation)
	}
	must(t, db.CommitSegments(t.Context(), a, 0, first, runs, nil))
	want := *first
	want.RunIDs = []string{d.run.ID}
	if current, generation := read(); !cmp.Equal([]segments.Segment{want}, current) || generation != 1 {
		t.Errorf("%s, generation %d", cmp.Diff([]segments.Segment{want}, current), generation)
	}

	// A stale base changes nothing, and no run is in two segments.
	if err := db.CommitSegments(t.Context(), a, 0, second, runs, []string{first.ID}); !errors.Is(err, segments.ErrConflict) {
		t.Errorf("err = %v", err)
	}
	if err := db.CommitSegments(t.Context(), a, 1, second, runs, nil); err == nil {
		t.Error("a run is in two segments")
	}
	if current, generation := read(); len(current) != 1 || current[0].ID != first.ID || generation != 1 {
		t.Errorf("%v, generation %d", current, generation)
	}

	// The former segment is no longer read, and its files are listed until it is
	// forgotten.
	must(t, db.CommitSegments(t.Context(), a, 1, second, runs, []string{first.ID}))
	if current, generation := read(); len(current) != 1 || current[0].ID != second.ID || generation != 2 {
		t.Errorf("%v, generation %d", current, generation)
	}
	objects := func() int {
		keys, err := db.SegmentObjects(t.Context())
		must(t, err)
		return len(keys)
	}
	must(t, db.ForgetSegments(t.Context(), morning.Add(-time.Hour)))
	if n := objects(); n != 2*len(segments.Tables) {
		t.Errorf("%d objects", n)
	}
	must(t, db.ForgetSegments(t.Context(), morning.Add(365*24*time.Hour)))
	if n := objects(); n != len(segments.Tables) {
		t.Errorf("%d objects", n)
	}

	// Rows of a purged model must be written again.
	_, err := db.Pool().Exec(t.Context(), "update segment_runs set program_id = 'model_gone'")
	must(t, err)
	if current, _ := read(); !current[0].Purged {
		t.Error("not purged")
	}
}

// TestBackupsLeaveSegmentsOut restores a backup of an installation with segments: the
// results exist and can be gathered again.
func TestBackupsLeaveSegmentsOut(t *testing.T) {
	t.Parallel()
	db, again := odd(t), empty(t)
	a := newAccount(t, db, "gathered").ID
	must(t, db.CommitSegments(t.Context(), a, 0, segmentOf(), []segments.Run{{ID: id.New(id.Run), ModelID: id.New(id.Model)}}, nil))
	must(t, restore(t, write(t, db), again))
	current, generation, err := again.Segments(t.Context(), a)
	if must(t, err); len(current) != 0 || generation != 0 {
		t.Errorf("%d segments, generation %d", len(current), generation)
	}
	must(t, again.CommitSegments(t.Context(), a, 0, segmentOf(), nil, nil))
}

// TestOneLakePublisher holds the lock while another publisher asks for it.
func TestOneLakePublisher(t *testing.T) {
	t.Parallel()
	db := open(t)
	release, err := db.LockLake(t.Context())
	must(t, err)
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := db.LockLake(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	release()
	release, err = db.LockLake(t.Context())
	must(t, err)
	release()
}
