package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"time"

	"ballast/internal/bed"
)

// toxics is a machine between the processes and the database and bucket, on which
// Toxiproxy passes bytes on and disturbs them as it is told.
type toxics struct {
	machine *bed.Machine
	http    *http.Client // from the user's machine
}

// toxic is one kind of disturbance, in Toxiproxy's terms.
type toxic struct {
	Type       string         `json:"type"`
	Stream     string         `json:"stream"` // downstream: of what the server sends
	Toxicity   float64        `json:"toxicity"`
	Attributes map[string]int `json:"attributes"`
}

// allToxics are the disturbances that are tried. Times are in milliseconds, rates in KB a
// second. A bandwidth of a tenth of a megabyte lets a result take seconds.
var allToxics = []toxic{
	{"latency", "downstream", 1, map[string]int{"latency": 150, "jitter": 100}},
	{"latency", "upstream", 1, map[string]int{"latency": 150, "jitter": 100}},
	{"bandwidth", "downstream", 1, map[string]int{"rate": 100}},
	{"bandwidth", "upstream", 1, map[string]int{"rate": 100}},
	{"slicer", "downstream", 1, map[string]int{"average_size": 64, "size_variation": 32, "delay": 200}},
	// What has been sent is lost, and the connection is reset.
	{"reset_peer", "downstream", .5, map[string]int{"timeout": 200}},
	{"reset_peer", "upstream", .5, map[string]int{"timeout": 200}},
	// The connection ends in the middle of an answer or of a request.
	{"limit_data", "downstream", .5, map[string]int{"bytes": 20_000}},
	{"limit_data", "upstream", .5, map[string]int{"bytes": 20_000}},
	// Nothing arrives any more, and nobody says so.
	{"timeout", "downstream", .3, map[string]int{"timeout": 0}},
	{"timeout", "upstream", .3, map[string]int{"timeout": 0}},
}

const toxicsPort = ":8474"

// startToxics puts Toxiproxy before the database and the bucket, for every process that
// is started from now on.
func (f *fleet) startToxics(ctx context.Context, program string) error {
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("the proxy that makes faults is missing: %w; make cluster installs it", err)
	}
	m, err := f.bed.Machine(ctx, "toxics", 0)
	if err != nil {
		return err
	}
	if _, err := m.Start(bed.Command{Path: program, Args: []string{"-host", m.Address}}); err != nil {
		return err
	}
	t := &toxics{m, &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DialContext: f.user.Dial}}}
	if err := until(ctx, 10*time.Second, "the proxy answers", func() (bool, error) {
		err := t.call(ctx, http.MethodGet, "/version", nil)
		return err == nil, err
	}); err != nil {
		return err
	}
	for name, server := range map[string]*bed.Machine{"5432": f.database, "7070": f.store} {
		if err := t.call(ctx, http.MethodPost, "/proxies", map[string]any{
			"name": name, "listen": m.Address + ":" + name, "upstream": server.Address + ":" + name, "enabled": true,
		}); err != nil {
			return err
		}
	}
	f.databaseURL = strings.Replace(f.databaseURL, f.database.Address, m.Address, 1)
	f.bucketURL = strings.Replace(f.bucketURL, f.store.Address, m.Address, 1)
	f.toxics = t
	return nil
}

// disturb makes the connections to the database or to the bucket bad for a while, in a
// way chosen at random.
func (t *toxics) disturb(ctx context.Context, most time.Duration) (err error) {
	chosen := allToxics[rand.IntN(len(allToxics))]                           //nolint:gosec // no secret depends on it
	path := "/proxies/" + []string{"5432", "7070"}[rand.IntN(2)] + "/toxics" //nolint:gosec // no secret depends on it
	if err := t.call(ctx, http.MethodPost, path, struct {
		Name string `json:"name"`
		toxic
	}{"now", chosen}); err != nil {
		return err
	}
	waited := pause(ctx, time.Second+rand.N(most)) //nolint:gosec // no secret depends on it
	if err := t.call(context.WithoutCancel(ctx), http.MethodDelete, path+"/now", nil); err != nil {
		return err
	}
	return waited
}

func (t *toxics) call(ctx context.Context, method, path string, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("tell the proxy: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+t.machine.Address+toxicsPort+path, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("tell the proxy: %w", err)
	}
	resp, err := t.http.Do(req)
	if err != nil {
		return fmt.Errorf("tell the proxy: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		said, _ := io.ReadAll(io.LimitReader(resp.Body, 1000)) // as far as it can be read
		return fmt.Errorf("tell the proxy: %s %s: %s: %s", method, path, resp.Status, said)
	}
	return nil
}
