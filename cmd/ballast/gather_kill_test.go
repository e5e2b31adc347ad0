package main

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/query/segments"
	"ballast/service"
)

// TestKilledWhileGathering kills the service with -9 while it gathers results and
// publishes the lake, which it does at every start. Whatever was cut off, each
// run is in one segment in the end, the segments' files are whole, and the lake has
// each model once.
func TestKilledWhileGathering(t *testing.T) {
	t.Parallel()
	testenv.NotInTest(t)
	if runtime.GOOS != "linux" {
		t.Skip("kills processes as Linux does")
	}
	binary.Path(t)
	const models = 20
	random := rand.New(rand.NewPCG(testenv.Seed(t, uint64(time.Now().UnixNano())), 7))
	data := t.TempDir()
	p, url := serveProcess(t, data)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	for i := range models {
		script := fixedWeights(fmt.Sprint("Model ", i), fmt.Sprint("M", i), "KA", fmt.Sprintf("0.%02d", i+10), "KB", "0.5")
		if err := c.do(t.Context(), "POST", "/v1/models", map[string]string{"script": script}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for active := 0; active < models; time.Sleep(100 * time.Millisecond) {
		var page struct{ Data []killedSheet }
		if err := c.do(t.Context(), "GET", "/v1/models?limit=200", nil, &page); err != nil {
			t.Fatal(err)
		}
		active = 0
		for _, s := range page.Data {
			if s.Status == "active" {
				active++
			}
		}
	}
	for range testenv.Rounds(4, 40) {
		p.kill()
		p, _ = serveProcess(t, data, "--lake", "24h")
		time.Sleep(time.Duration(random.IntN(600)) * time.Millisecond)
	}
	p.kill()
	p, _ = serveProcess(t, data)
	current := gathered(t, data, models)
	files := 0
	for _, s := range current {
		for _, o := range s.Tables {
			info, err := os.Stat(filepath.Join(data, "objects", filepath.FromSlash(o.Key)))
			if err != nil || info.Size() != o.Bytes {
				t.Errorf("%s: %v", o.Key, err)
			}
			files++
		}
	}
	if want := len(current) * len(segments.Tables); files != want {
		t.Errorf("%d files of %d segments", files, len(current))
	}

	must(t, "lake", "--data-dir", data)
	if out := must(t, "lake", "--data-dir", data); !regexp.MustCompile(`account_\w+ +20 +0 `).MatchString(out) {
		t.Errorf("the lake does not have 20 models, or changes again:\n%s", out)
	}
	for _, table := range []string{"returns", "weights", "models"} {
		stored, err := filepath.Glob(filepath.Join(data, "objects", "lake", "account_*", table, "data", "*.parquet"))
		if err != nil || len(stored) != 1 {
			t.Errorf("%s has the files %v, %v", table, stored, err)
		}
	}
	if code := p.stop(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.logs())
	}
	must(t, "doctor", "--data-dir", data, "--fix", "--sweep-grace", "1ns")
	left, err := filepath.Glob(filepath.Join(data, "objects", "segments", "*", "*"))
	if err != nil || len(left) != files {
		t.Errorf("%d files of segments stay, %d are read: %v", len(left), files, err)
	}
}

// together is the least number of results that are gathered: fewer wait for others. So if
// the service has gathered while the last models were being built, those stay outside.
const together = 16

// gathered waits until the runs that models serve are in segments, each once, except fewer
// than together.
func gathered(t *testing.T, data string, models int) []segments.Segment {
	t.Helper()
	c := service.Default()
	c.Storage.DataDir = data
	s, err := service.Open(t.Context(), c, slog.New(slog.DiscardHandler), service.SharedDatabase)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	accounts, err := s.DB.AccountsWithResults(t.Context())
	if err != nil || len(accounts) != 1 {
		t.Fatalf("accounts %v, %v", accounts, err)
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		current, _, err := s.DB.Segments(t.Context(), accounts[0])
		if err != nil {
			t.Fatal(err)
		}
		var runs []string
		for _, one := range current {
			runs = append(runs, one.RunIDs...)
		}
		if slices.Sort(runs); len(slices.Compact(slices.Clone(runs))) != len(runs) {
			t.Fatalf("a run is in two segments: %v", runs)
		}
		if len(runs) >= together && models-len(runs) < together {
			return current
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d runs of %d are gathered", len(runs), models)
		}
	}
}
