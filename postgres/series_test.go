package postgres_test

import (
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/postgres"
	"ballast/program"
	"ballast/timeseries"
)

// putSeries adds a value to an account's series of one column.
func putSeries(t *testing.T, db *postgres.DB, accountID, name string, day timeseries.Date, value float64) *series.Series {
	t.Helper()
	s := series.New(db, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	put, _, err := s.Put(t.Context(), accountID, series.Post{Name: name, Keys: []string{"K"}, Dates: []timeseries.Date{day}, Columns: [][]float64{{value}}})
	must(t, err)
	return put
}

// reading publishes a run that has read a series.
func reading(t *testing.T, db *postgres.DB, runID string, s *series.Series) {
	t.Helper()
	_, _, _, err := db.StartRun(t.Context(), runID)
	must(t, err)
	p := publication(runID, assetMember("SPY"))
	p.Series = []series.Read{{SeriesID: s.ID, Version: s.Version, Keys: []string{"K"}}}
	must(t, db.Publish(t.Context(), p))
}

// A series that gains values queues the models that read it, and no others.
func TestNewValuesQueueReaders(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	first := putSeries(t, db, a, "CURVE", 100, 0.1)
	other := putSeries(t, db, b, "CURVE", 100, 0.1)
	reader, still := create(t, db, a, "READER"), create(t, db, b, "STILL")
	reading(t, db, reader.run.ID, first)
	reading(t, db, still.run.ID, other)
	holder := active(t, db, a, "HOLDER", modelMember(t, db, reader.model.ID))
	before := len(queued(t, db))

	second := putSeries(t, db, a, "curve", 101, 0.2)
	if second.ID != first.ID || second.Version != 2 {
		t.Fatalf("%+v", second)
	}
	m := sheet(t, db, reader.model.ID)
	if m.InFlight == nil || m.InFlight.Source != program.SourceRefresh || m.Status != program.StatusUpdating {
		t.Fatalf("%+v", m)
	}
	if n := len(queued(t, db)); n != before+1 {
		t.Errorf("%d runs are queued", n-before)
	}
	if s := sheet(t, db, still.model.ID); s.InFlight != nil {
		t.Error("another account's model is queued")
	}
	// A newer version during the run is read by another run after it.
	putSeries(t, db, a, "CURVE", 102, 0.3)
	reading(t, db, m.InFlight.ID, second)
	if m = sheet(t, db, reader.model.ID); m.InFlight == nil {
		t.Error("the model serves a former version, and no run is queued")
	}
	third, err := db.SeriesByName(t.Context(), a, []string{"CURVE"})
	must(t, err)
	reading(t, db, m.InFlight.ID, third["CURVE"])
	if m = sheet(t, db, reader.model.ID); m.InFlight != nil || m.Status != program.StatusActive {
		t.Errorf("%+v", m)
	}
	if h := sheet(t, db, holder.model.ID); h.InFlight == nil {
		t.Error("the holder of the reader is not queued")
	}
	// The same values again make no version.
	putSeries(t, db, a, "CURVE", 102, 0.3)
	if m = sheet(t, db, reader.model.ID); m.InFlight != nil {
		t.Error("a post that says nothing new queues a run")
	}
	reads, err := db.SeriesReads(t.Context(), m.LiveRunID)
	must(t, err)
	if diff := cmp.Diff([]series.Read{{SeriesID: first.ID, Version: 3, Keys: []string{"K"}}}, reads); diff != "" {
		t.Error(diff)
	}
}

// A series that is deleted pauses the models that read it, until there is one of its name.
func TestDeletedSeriesPauseReaders(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	s := putSeries(t, db, a, "CURVE", 100, 0.1)
	reader, during := create(t, db, a, "READER"), create(t, db, a, "DURING")
	reading(t, db, reader.run.ID, s)
	must(t, db.DeleteSeries(t.Context(), a, s.ID))
	reading(t, db, during.run.ID, s) // its run had begun before
	for _, d := range []draft{reader, during} {
		m := sheet(t, db, d.model.ID)
		state := m.RefreshState(m.Live.Last)
		if m.Status != program.StatusPaused || state.State != "blocked" || len(state.Blockers) != 1 || state.Blockers[0].Kind != "series" || state.Blockers[0].ID != s.ID {
			t.Errorf("%s is %s: %+v", m.Symbol, m.Status, state)
		}
	}
	// Another name is another series.
	putSeries(t, db, a, "OTHER", 100, 0.1)
	if m := sheet(t, db, reader.model.ID); m.Status != program.StatusPaused {
		t.Errorf("%s", m.Status)
	}
	again := putSeries(t, db, a, "Curve", 100, 0.1)
	for _, d := range []draft{reader, during} {
		m := sheet(t, db, d.model.ID)
		if m.Status != program.StatusUpdating || m.InFlight == nil || len(m.Lost) != 0 {
			t.Fatalf("%s is %s: %+v", m.Symbol, m.Status, m.Lost)
		}
		reading(t, db, m.InFlight.ID, again)
		if m = sheet(t, db, d.model.ID); m.Status != program.StatusActive {
			t.Errorf("%s is %s", m.Symbol, m.Status)
		}
	}
}

// Former versions that no run has read are deleted after some time, and their bytes are
// free again.
func TestFormerVersionsOfSeriesArePruned(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	first := putSeries(t, db, a, "CURVE", 100, 0.1)
	d := create(t, db, a, "READER")
	reading(t, db, d.run.ID, first)
	for i := range timeseries.Date(3) {
		putSeries(t, db, a, "CURVE", 101+i, 0.2)
	}
	gone := putSeries(t, db, a, "GONE", 100, 0.1)
	must(t, db.DeleteSeries(t.Context(), a, gone.ID))
	versions := func(s *series.Series) (kept []int) {
		for v := 1; v <= 4; v++ {
			if _, err := db.SeriesTable(t.Context(), s.ID, v); err == nil {
				kept = append(kept, v)
			} else {
				wantFault(t, err, fault.NotFound)
			}
		}
		return kept
	}
	bytes := func() (n int64) {
		must(t, db.Pool().QueryRow(t.Context(), "select bytes from series where id = $1", first.ID).Scan(&n))
		return n
	}
	before := bytes()
	must(t, postgres.SeriesVersions{DB: db, Grace: time.Hour}.Sweep(t.Context()))
	if kept := versions(first); len(kept) != 4 {
		t.Errorf("%v are kept within the grace", kept)
	}
	must(t, postgres.SeriesVersions{DB: db, Grace: -1_000_000 * time.Hour}.Sweep(t.Context()))
	if kept := versions(first); !slices.Equal(kept, []int{1, 4}) {
		t.Errorf("%v are kept", kept)
	}
	if kept := versions(gone); kept != nil {
		t.Errorf("%v are kept of a deleted series", kept)
	}
	if after := bytes(); after >= before || after <= 0 {
		t.Errorf("%d bytes before, %d after", before, after)
	}
}

// A model that does not refresh by itself is not queued when its series changes. Once it
// does, the recurring refresh finds that the series has changed.
func TestRecurringRefreshFollowsSeries(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	reader := create(t, db, a, "READER")
	reading(t, db, reader.run.ID, putSeries(t, db, a, "CURVE", 100, 0.1))
	automatic := func(on bool) {
		_, err := db.Pool().Exec(t.Context(), "update programs set auto_update = $2 where id = $1", reader.model.ID, on)
		must(t, err)
	}
	due := func() int {
		found, err := db.Refresh(t.Context(), program.Refresh{Session: 200, Now: morning})
		must(t, err)
		return found.Due
	}
	automatic(false)
	putSeries(t, db, a, "CURVE", 101, 0.2)
	if m := sheet(t, db, reader.model.ID); m.InFlight != nil || due() != 0 {
		t.Error("a model without auto_update is queued")
	}
	automatic(true)
	if due() != 1 {
		t.Error("the new version is not found")
	}
}
