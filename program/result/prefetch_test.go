package result

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ballast/program"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
)

// distant is a bucket whose objects take a while; one of them is missing.
type distant struct {
	columnar.Bucket
	mu    sync.Mutex
	asked map[string]int
}

func (d *distant) Path(_ context.Context, key string) (string, error) {
	time.Sleep(50 * time.Millisecond)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked[key]++
	return "", nil
}

func TestPrefetchWaitsForManyObjectsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bucket := &distant{asked: map[string]int{}}
		s, err := NewStore(bucket, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		runs := map[string]*program.Run{}
		for i := range 40 {
			id := fmt.Sprint(i)
			runs[id] = &program.Run{ID: id, Tables: program.Tables{sandbox.DailyTable: {Key: id}}}
		}
		runs["unfinished"] = &program.Run{ID: "unfinished"}
		s.tables.add("7", PartWeights, &Columns{})
		began := time.Now()
		s.Prefetch(t.Context(), runs)
		if took, most := time.Since(began), 5*50*time.Millisecond; took > most {
			t.Errorf("took %s, want at most %s", took, most)
		}
		if len(bucket.asked) != 39 || bucket.asked["7"] != 0 {
			t.Errorf("asked for %v", bucket.asked)
		}
	})
}
