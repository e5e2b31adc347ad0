package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A backup made while runs are being published restores to a service that serves the
// same bytes and in which doctor finds nothing wrong.
func TestBackupRestores(t *testing.T) {
	t.Parallel()
	data, out, restored := t.TempDir(), filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "restored")
	p, url := serveProcess(t, data)
	c := caller(t, data, url)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	for i := range 3 {
		startModel(t, c, fixedWeights(fmt.Sprintf("Kept %d", i), fmt.Sprintf("KEPT%d", i), "KA", 0.5, "KB", 0.5))
	}
	before := map[string][]byte{}
	for i := range 3 {
		path := fmt.Sprintf("/v1/models/KEPT%d/history?include=returns,allocation,metrics,contribution&full_history=true", i)
		before[path] = bodyOf(t, url+path, c.key)
	}
	writing, stop := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		n := 0
		for ; writing.Err() == nil; n++ {
			script := fixedWeights(fmt.Sprintf("Busy %d", n), fmt.Sprintf("BUSY%d", n), "KC", 0.5, "KD", 0.5)
			_ = c.do(writing, "POST", "/v1/models", map[string]string{"script": script}, &demoSheet{})
		}
		done <- n
	}()
	for files := 0; files < 12; { // results are being published
		time.Sleep(20 * time.Millisecond)
		found, _ := filepath.Glob(filepath.Join(data, "objects", "runs", "*", "*"))
		files = len(found)
	}
	must(t, "backup", "--data-dir", data, "--out", out)
	stop()
	if n := <-done; n == 0 {
		t.Error("nothing was written during the backup")
	}
	if code := p.stop(t); code != 0 {
		t.Errorf("the service ended with %d", code)
	}

	must(t, "restore", "--from", out, "--verify")
	must(t, "restore", "--from", out, "--data-dir", restored)
	must(t, "doctor", "--data-dir", restored)
	_, again := serveProcess(t, restored)
	for path, want := range before {
		if got := bodyOf(t, again+path, c.key); !bytes.Equal(got, want) {
			t.Errorf("%s is other than before the backup", path)
		}
	}
	if _, errs, code := command(t, "restore", "--from", out, "--data-dir", restored); code == 0 || !strings.Contains(errs, "not empty") {
		t.Errorf("restored over a data folder: %s", errs)
	}
	if _, errs, code := command(t, "backup", "--data-dir", restored, "--out", out); code == 0 || !strings.Contains(errs, "not empty") {
		t.Errorf("a backup over another: %s", errs)
	}
}

// A damaged or unfinished backup is refused, and nothing is restored from it.
func TestDamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	serveProcess(t, data)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	for name, damage := range map[string]func(dir string) error{
		"no manifest": func(dir string) error { return os.Remove(filepath.Join(dir, "manifest.json")) },
		"cut rows":    func(dir string) error { return os.Truncate(filepath.Join(dir, "rows", "models.zst"), 5) },
		"no objects":  func(dir string) error { return os.RemoveAll(filepath.Join(dir, "objects")) },
		"a flipped bit": func(dir string) error {
			found, err := filepath.Glob(filepath.Join(dir, "objects", "bars", "*"))
			if err != nil {
				return err
			}
			text, err := os.ReadFile(found[0])
			if err != nil {
				return err
			}
			text[len(text)/2] ^= 1
			return os.WriteFile(found[0], text, 0o600)
		},
	} {
		out := filepath.Join(t.TempDir(), "backup")
		restored := filepath.Join(t.TempDir(), "restored")
		must(t, "backup", "--data-dir", data, "--out", out)
		if err := damage(out); err != nil {
			t.Fatal(err)
		}
		_, errs, code := command(t, "restore", "--from", out, "--data-dir", restored)
		if _, err := os.Stat(restored); code == 0 || !os.IsNotExist(err) {
			t.Errorf("%s: code %d, %v\n%s", name, code, err, errs)
		}
	}
}

// startModel creates a model and waits until it serves.
func startModel(t *testing.T, c *client, script string) {
	t.Helper()
	var sheet struct {
		ID     string
		Status string
	}
	if err := c.do(t.Context(), "POST", "/v1/models", map[string]string{"script": script}, &sheet); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); sheet.Status != "active"; time.Sleep(20 * time.Millisecond) {
		if err := c.do(t.Context(), "GET", "/v1/models/"+sheet.ID, nil, &sheet); err != nil || sheet.Status == "failed" || time.Now().After(deadline) {
			t.Fatalf("%s: %v", sheet.Status, err)
		}
	}
}

func bodyOf(t *testing.T, url, key string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v\n%s", url, answer.StatusCode, err, body)
	}
	return body
}
