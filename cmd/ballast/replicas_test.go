package main

import (
	"net/http"
	"testing"
	"time"

	"ballast/postgres/postgrestest"
)

// What a key has used up at one service is used up at the other.
func TestRateLimitsAreOfAllServicesTogether(t *testing.T) {
	t.Parallel()
	const burst = 40
	dsn := postgrestest.New(t)
	var urls []string
	var key string
	for range 2 {
		data := t.TempDir()
		args := []string{"--data-dir", data, "--database-url", dsn}
		p := launch(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--rate-limit", "0.01", "--rate-burst", "40"}, args...)...)
		urls = append(urls, p.ready(t))
		if key == "" {
			must(t, append([]string{"account", "create", "tester"}, args...)...)
			key = must(t, append([]string{"keys", "create", "--account", "tester"}, args...)...)
		}
	}
	answered := func(url string) bool {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/models", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = a.Body.Close()
		return a.StatusCode == http.StatusOK
	}
	given := 0
	for answered(urls[0]) {
		given++
	}
	if given < burst {
		t.Errorf("the first service answered %d requests, want a burst of %d", given, burst)
	}
	given = 0
	for answered(urls[1]) {
		if given++; given == burst/2 {
			t.Fatalf("the second service answers as if the first had answered nothing")
		}
		time.Sleep(500 * time.Millisecond)
	}
}
