package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// A free account that stores whatever it can, in every possible way, takes no more
// than its quota, and another account is served as usual.
func TestAFreeAccountCannotFillTheDisk(t *testing.T) {
	testenv.NotInTest(t)
	data := t.TempDir()
	plans := filepath.Join(t.TempDir(), "plans.yaml")
	if err := os.WriteFile(plans, []byte("plans: {free: {stored_mib: 8, builds_a_day: 40, models: 1000, changes_a_day: 1000, signup_grant_cents: 1000000}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, url := serveProcess(t, data, "--plans", plans)
	account := func(name string) *client {
		must(t, "account", "create", name, "--plan", "free", "--data-dir", data)
		return &client{url: url, key: must(t, "keys", "create", "--account", name, "--data-dir", data)}
	}
	greedy, other := account("greedy"), account("other")
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	script := head("Large", "LARGE", "monthly", []string{`"KA"`}) + "    return {\"KA\": 1}\n" + noise(200_000)
	before := folderSize(t, data)

	var stored, over, refused atomic.Int64
	var all sync.WaitGroup
	filling, full := context.WithTimeout(t.Context(), time.Minute)
	defer full()
	least := time.Now().Add(time.Duration(testenv.Rounds(1, 20)) * time.Second)
	for worker := range 6 {
		all.Go(func() {
			for i := 0; filling.Err() == nil; i++ {
				name := fmt.Sprintf("%d-%d", worker, i)
				var model struct{ ID string }
				var draft struct {
					Version  int
					BaseHash string `json:"base_hash"`
				}
				for _, err := range []error{
					greedy.do(t.Context(), "POST", "/v1/models", map[string]any{"script": strings.ReplaceAll(script, `"LARGE"`, fmt.Sprintf(`"L%dX%d"`, worker, i))}, &model),
					greedy.do(t.Context(), "GET", "/v1/models/L0X0/draft", nil, &draft),
					greedy.do(t.Context(), "PUT", "/v1/models/L0X0/draft", map[string]any{"expected_version": draft.Version, "base_hash": draft.BaseHash, "script": script}, nil),
					greedy.do(t.Context(), "POST", "/v1/models/"+model.ID+"/rebuild", map[string]any{"script": script}, nil),
					greedy.do(t.Context(), "POST", "/v1/models/L0X0/draft/test", map[string]any{"request_key": name}, nil),
					greedy.do(t.Context(), "POST", "/v1/models/L0X0/runs", map[string]any{"intent": "test"}, nil),
					greedy.do(t.Context(), "POST", "/v1/account/keys", map[string]any{"name": name}, nil),
					greedy.do(t.Context(), "POST", "/v1/webhooks", map[string]any{
						"url": "https://example.com/" + strings.Repeat("x", 2000), "events": []string{"run.failed", "model.failed"},
					}, nil),
				} {
					switch {
					case err == nil:
						stored.Add(1)
					case strings.Contains(err.Error(), "plan_required"), strings.Contains(err.Error(), "rate_limited"):
						over.Add(1)
					default:
						refused.Add(1) // for another reason
					}
				}
			}
		})
	}
	var sheet struct {
		Quotas struct {
			Stored struct{ Used, Limit int64 } `json:"stored_bytes"`
		}
	}
	var slowest time.Duration
	// Wait until half of the quota is used and something was refused because of a quota.
	for filling.Err() == nil {
		began := time.Now()
		if err := other.do(t.Context(), "GET", "/v1/account", nil, nil); err != nil {
			t.Error(err)
		}
		slowest = max(slowest, time.Since(began))
		// The account also uses up its requests a second.
		if err := greedy.do(t.Context(), "GET", "/v1/account", nil, &sheet); err != nil && !strings.Contains(err.Error(), "rate_limited") {
			t.Error(err)
		}
		if stored.Load() > 0 && over.Load() > 0 && sheet.Quotas.Stored.Used >= sheet.Quotas.Stored.Limit/2 && time.Now().After(least) {
			full()
		}
	}
	all.Wait()

	eventually(t, "the account may ask again", func() bool { return greedy.do(t.Context(), "GET", "/v1/account", nil, &sheet) == nil })
	grown := folderSize(t, data) - before
	t.Logf("%d done, %d over a quota, %d refused otherwise; %d bytes of %d used; the folder has grown by %d; the other account waited %v at the most",
		stored.Load(), over.Load(), refused.Load(), sheet.Quotas.Stored.Used, sheet.Quotas.Stored.Limit, grown, slowest)
	if stored.Load() == 0 || over.Load() == 0 || sheet.Quotas.Stored.Used < 4<<20 {
		t.Error("the account was not held to its quota at all")
	}
	if used := sheet.Quotas.Stored.Used; used > sheet.Quotas.Stored.Limit+1<<20 {
		t.Errorf("%d bytes are stored", used)
	}
	if grown > 48<<20 { // the tables and the write-ahead log
		t.Errorf("the folder has grown by %d MiB", grown>>20)
	}
	if slowest > 5*time.Second {
		t.Errorf("the other account waited %v", slowest)
	}
}

// noise is a comment that does not compress well.
func noise(size int) string {
	b := make([]byte, size/2)
	_, _ = rand.Read(b)
	return "# " + hex.EncodeToString(b) + "\n"
}

// folderSize returns the size of the files in a folder.
func folderSize(t *testing.T, dir string) int64 {
	t.Helper()
	var total int64
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return ignoreAbsent(err)
		}
		info, err := e.Info()
		if err == nil {
			total += info.Size()
		}
		return ignoreAbsent(err)
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// ignoreAbsent ignores files that were deleted in the meantime.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
