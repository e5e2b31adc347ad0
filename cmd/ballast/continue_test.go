package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// served is what a model serves.
type served struct {
	LiveRunID string    `json:"live_run_id"`
	Status    string    `json:"status"`
	Run       *struct{} `json:"run"`
	Metadata  struct {
		ContinuedFrom *string `json:"continued_from"`
		EndDate       string  `json:"end_date"`
	} `json:"metadata"`
	hash string
}

func serving(t *testing.T, c *client, model string) served {
	t.Helper()
	var s served
	if err := c.do(t.Context(), "GET", "/v1/models/"+model, nil, &s); err != nil {
		t.Fatal(err)
	}
	if s.LiveRunID != "" {
		var run struct {
			Hash string `json:"result_hash"`
		}
		if err := c.do(t.Context(), "GET", "/v1/runs/"+s.LiveRunID, nil, &run); err != nil {
			t.Fatal(err)
		}
		s.hash = run.Hash
	}
	return s
}

// follows waits until a model serves a result that ends on date.
func follows(t *testing.T, c *client, model, date string) served {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		s := serving(t, c, model)
		if s.Run == nil && s.Status == "active" && s.Metadata.EndDate == date {
			return s
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come to %s: %+v", model, date, s)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// until returns the part of a market up to a date.
func until(t *testing.T, market, date string) string {
	t.Helper()
	var kept []string
	for line := range strings.SplitSeq(market, "\n") {
		if fields := strings.Split(line, ","); len(fields) < 3 || fields[1] == "date" || fields[1] <= date {
			kept = append(kept, line)
		}
	}
	return writeFile(t, "market.csv", strings.Join(kept, "\n"))
}

// TestRefreshGoesOn lets a model, and one that holds it, follow their bars by a few
// sessions and by many. Each result equals that of a model built on all the bars, and
// that of the run from the beginning, even if the service is killed or the past is
// restated meanwhile.
func TestRefreshGoesOn(t *testing.T) {
	testenv.NotInTest(t)
	data := t.TempDir()
	service, url := serveProcess(t, data)
	market := readFile(t, smallMarket(t))
	follow := func(file string) {
		must(t, "import", "bars", file, "--data-dir", data)
		must(t, "refresh", "--data-dir", data)
	}
	must(t, "import", "bars", until(t, market, "2018-12-31"), "--data-dir", data)
	c := caller(t, data, url)
	heavy := func(symbol string) string { return slowScript("Slow "+symbol, symbol, 2000) }
	holder := func(symbol, member string) string {
		return strings.ReplaceAll(slowScript("Holder "+symbol, symbol, 1000), `"KA"`, fmt.Sprintf("%q", member))
	}
	await(t, c, create(t, c, heavy("HEAVY")), "active")
	await(t, c, create(t, c, holder("HOLDER", "HEAVY")), "active")

	before := map[string]served{"HEAVY": serving(t, c, "HEAVY"), "HOLDER": serving(t, c, "HOLDER")}
	for symbol, s := range before {
		if s.Metadata.ContinuedFrom != nil {
			t.Errorf("%s: a build continues %s", symbol, *s.Metadata.ContinuedFrom)
		}
	}
	// hold compares what is served with new models, and with the runs repeated.
	fresh := 0 // number of new models so far
	hold := func(date string, goesOn bool) {
		t.Helper()
		fresh++
		member, above := fmt.Sprintf("NEW%d", fresh), fmt.Sprintf("TOP%d", fresh)
		await(t, c, create(t, c, heavy(member)), "active")
		await(t, c, create(t, c, holder(above, "HEAVY")), "active")
		for symbol, twin := range map[string]string{"HEAVY": member, "HOLDER": above} {
			s := follows(t, c, symbol, date)
			if want := serving(t, c, twin).hash; s.hash != want {
				t.Errorf("%s on %s: result %s, of a new model %s", symbol, date, s.hash, want)
			}
			from := s.Metadata.ContinuedFrom
			switch {
			case !goesOn && from != nil:
				t.Errorf("%s on %s goes on from %s", symbol, date, *from)
			case goesOn && (from == nil || *from != before[symbol].LiveRunID):
				t.Errorf("%s on %s does not go on from %s", symbol, date, before[symbol].LiveRunID)
			}
			must(t, "run", "--verify", s.LiveRunID, "--data-dir", data)
			before[symbol] = s
		}
	}
	for _, date := range []string{"2019-01-01", "2019-06-28"} {
		follow(until(t, market, date))
		follows(t, c, "HOLDER", date)
		hold(date, true)
	}
	t.Run("restated", func(t *testing.T) {
		follow(until(t, strings.Replace(market, "KB,2017-03-03,", "KB,2017-03-03,1", 1), "2019-07-01"))
		follows(t, c, "HOLDER", "2019-07-01")
		hold("2019-07-01", false)
	})
	t.Run("killed", func(t *testing.T) {
		follow(until(t, strings.Replace(market, "KB,2017-03-03,", "KB,2017-03-03,1", 1), "2019-07-02"))
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if s := serving(t, c, "HEAVY"); s.Run != nil || s.LiveRunID != before["HEAVY"].LiveRunID {
				break // the refresh was queued
			}
		}
		service.kill()
		service, c.url = serveProcess(t, data)
		follows(t, c, "HOLDER", "2019-07-02")
		hold("2019-07-02", true)
	})
}
