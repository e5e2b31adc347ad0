package segments_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/query/segments"
	"ballast/storage/columnar"
)

// books holds the segments of one account in memory.
type books struct {
	runs       []segments.Run
	current    []segments.Segment
	dropped    []segments.Segment
	generation int64
	before     func() error // called before a commit
}

func (b *books) AccountsWithResults(context.Context) ([]string, error) {
	return []string{"account"}, nil
}

func (b *books) RunsToGather(context.Context, string) ([]segments.Run, error) {
	return slices.Clone(b.runs), nil
}

func (b *books) Segments(context.Context, string) ([]segments.Segment, int64, error) {
	return slices.Clone(b.current), b.generation, nil
}

func (b *books) CommitSegments(_ context.Context, _ string, base int64, added *segments.Segment, runs []segments.Run, dropped []string) error {
	if b.before != nil {
		if err := b.before(); err != nil {
			return err
		}
	}
	if base != b.generation {
		return segments.ErrConflict
	}
	b.generation++
	b.current = slices.DeleteFunc(slices.Clone(b.current), func(s segments.Segment) bool {
		gone := slices.Contains(dropped, s.ID)
		if gone {
			b.dropped = append(b.dropped, s)
		}
		return gone
	})
	if added != nil {
		whole := *added
		for _, r := range runs {
			whole.RunIDs = append(whole.RunIDs, r.ID)
		}
		b.current = append(b.current, whole)
	}
	return nil
}

func (b *books) ForgetSegments(context.Context, time.Time) error { b.dropped = nil; return nil }

func (b *books) SegmentObjects(context.Context) ([]string, error) {
	var keys []string
	for _, s := range append(slices.Clone(b.current), b.dropped...) {
		for _, o := range s.Tables {
			keys = append(keys, o.Key)
		}
	}
	return keys, nil
}

// mortal is the bucket of a process that is killed before its nth change: from then on
// nothing it does has an effect.
type mortal struct {
	columnar.Bucket
	left int
}

var errKilled = errors.New("killed")

func (m *mortal) live() error {
	m.left--
	if m.left < 0 {
		return errKilled
	}
	return nil
}

func (m *mortal) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	if err := m.live(); err != nil {
		return err
	}
	return m.Bucket.Put(ctx, key, write)
}

func (m *mortal) Delete(ctx context.Context, key string) error {
	if err := m.live(); err != nil {
		return err
	}
	return m.Bucket.Delete(ctx, key)
}

// crowd stores the samples' files and lists them under twenty runs.
func crowd(t *testing.T) (columnar.Bucket, *books) {
	t.Helper()
	bucket, runs := stored(t)
	b := &books{}
	for i := range 20 {
		r := runs[i%len(runs)]
		b.runs = append(b.runs, segments.Run{ID: fmt.Sprintf("run_%032x", 100+i), ModelID: fmt.Sprintf("model_%032x", i), Daily: r.Daily, Ledger: r.Ledger})
	}
	return bucket, b
}

func gather(t *testing.T, bucket columnar.Bucket, b *books) error {
	t.Helper()
	g := &segments.Gatherer{Runs: b, Catalog: b, Bucket: bucket, Logger: slog.New(slog.DiscardHandler)}
	return g.GatherAll(t.Context())
}

// rowsOf reads the rows of runs as a query does: from segments, and from the runs' own
// files if they are in none.
func rowsOf(t *testing.T, bucket columnar.Bucket, b *books, table segments.Table) []string {
	t.Helper()
	l := segments.Locate(b.current, b.runs)
	rows := written(t, bucket, table, l.Loose)
	for _, key := range l.Keys(table) {
		o, err := bucket.Open(t.Context(), key)
		must(t, err)
		file := make([]byte, o.Size)
		if _, err := o.ReadAt(file, 0); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		must(t, o.Close())
		rows = append(rows, parsed(t, file)...)
	}
	if l.Masked {
		t.Error("the segments hold runs that are not wanted")
	}
	slices.Sort(rows)
	return rows
}

// TestGatherSurvivesAKill kills the gathering before each of its changes. Readers see the
// same rows before and after, the next gathering completes the work, and nothing is left
// behind.
func TestGatherSurvivesAKill(t *testing.T) {
	bucket, b := crowd(t)
	want := map[segments.Table][]string{}
	for _, table := range segments.Tables {
		want[table] = rowsOf(t, bucket, b, table)
	}
	for kill := 0; ; kill++ {
		killed := &mortal{Bucket: bucket, left: kill}
		b.current, b.generation, b.before = nil, 0, killed.live
		err := gather(t, killed, b)
		b.before = nil
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		for _, table := range segments.Tables {
			if diff := cmp.Diff(want[table], rowsOf(t, bucket, b, table)); diff != "" {
				t.Fatalf("killed before change %d: %s: %s", kill, table, diff)
			}
		}
		must(t, gather(t, bucket, b))
		if len(b.current) != 1 || len(b.current[0].RunIDs) != len(b.runs) {
			t.Fatalf("killed before change %d: then %d segments", kill, len(b.current))
		}
		sweeper := segments.Sweeper{Names: b, Bucket: bucket, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Now().Add(time.Hour) }}
		must(t, sweeper.Sweep(t.Context()))
		if n := objects(t, bucket); n != len(segments.Tables) {
			t.Fatalf("killed before change %d: %d objects stay", kill, n)
		}
		if err == nil { // it completed without being killed
			if kill < len(segments.Tables)+1 {
				t.Errorf("only %d changes", kill)
			}
			return
		}
	}
}

// TestGatherFollows replaces most runs: the segment is written again without the former
// ones, and a query that began before still finds its files.
func TestGatherFollows(t *testing.T) {
	bucket, b := crowd(t)
	must(t, gather(t, bucket, b))
	former := b.current[0]
	for i := range 15 {
		b.runs[i].ID = fmt.Sprintf("run_%032x", 1000+i)
	}
	if l := segments.Locate(b.current, b.runs); len(l.Loose) != 15 || !l.Masked || len(l.Segments) != 1 {
		t.Errorf("%d loose, masked %v, %d segments", len(l.Loose), l.Masked, len(l.Segments))
	}
	must(t, gather(t, bucket, b))
	if len(b.current) != 1 || b.current[0].ID == former.ID {
		t.Fatalf("%d segments", len(b.current))
	}
	for _, table := range segments.Tables {
		want := written(t, bucket, table, b.runs)
		slices.Sort(want)
		if diff := cmp.Diff(want, rowsOf(t, bucket, b, table)); diff != "" {
			t.Errorf("%s: %s", table, diff)
		}
	}
	for _, o := range former.Tables {
		f, err := bucket.Open(t.Context(), o.Key)
		must(t, err)
		must(t, f.Close())
	}
}

// TestGatherMends deletes a file of a segment.
func TestGatherMends(t *testing.T) {
	bucket, b := crowd(t)
	must(t, gather(t, bucket, b))
	former := b.current[0]
	must(t, bucket.Delete(t.Context(), former.Tables["weights"].Key))
	g := &segments.Gatherer{Runs: b, Catalog: b, Bucket: bucket, Logger: slog.New(slog.DiscardHandler)}
	s := &segments.Sweeper{Names: b, Bucket: bucket, Grace: time.Hour, Logger: slog.New(slog.DiscardHandler), Now: time.Now}
	check := segments.Check(g, s)
	findings, err := check.Look(t.Context())
	must(t, err)
	if len(findings) != 1 || findings[0].Subject != former.ID {
		t.Errorf("findings %v", findings)
	}
	must(t, check.Repair(t.Context()))
	if findings, err = check.Look(t.Context()); err != nil || len(findings) != 0 {
		t.Errorf("findings %v, %v", findings, err)
	}
	if len(b.current) != 1 || b.current[0].ID == former.ID {
		t.Errorf("segments %v", b.current)
	}
}

// TestGatherLeavesOutWhatCannotBeRead gathers runs of which one has lost a file.
func TestGatherLeavesOutWhatCannotBeRead(t *testing.T) {
	bucket, b := crowd(t)
	b.runs[3].Ledger = "runs/nowhere"
	must(t, gather(t, bucket, b))
	if len(b.current) != 1 || len(b.current[0].RunIDs) != 19 || slices.Contains(b.current[0].RunIDs, b.runs[3].ID) {
		t.Errorf("segments %v", b.current)
	}
}

// TestGatherGivesWay lets another process commit first.
func TestGatherGivesWay(t *testing.T) {
	bucket, b := crowd(t)
	b.before = func() error { b.generation++; return nil }
	must(t, gather(t, bucket, b))
	if len(b.current) != 0 || objects(t, bucket) != 0 {
		t.Errorf("%d segments, %d objects", len(b.current), objects(t, bucket))
	}
}

// objects counts the objects of segments.
func objects(t *testing.T, bucket columnar.Bucket) int {
	t.Helper()
	n := 0
	for _, err := range bucket.List(t.Context(), segments.Prefix) {
		must(t, err)
		n++
	}
	return n
}
