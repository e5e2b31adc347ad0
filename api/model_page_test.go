package api

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
)

func TestModelPage(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	m := h.models.sheet
	m.Description, m.Warning = "Shares & bonds.", "the last rebuild failed"
	m.Live.Last += 30 // so that the members' bars ended long before the result
	m.Live.Summary.Warnings = []backtest.Warning{{Kind: backtest.WarnSuspended, Key: "AGG", Message: "AGG had no bar for more than 10 sessions"}}
	h.models.history.Latest = &history.Latest{
		AsOf:       m.Live.Last,
		Allocation: history.Weights{{Key: "AGG", Value: .25}, {Key: "SPY", Value: .7}, {Key: "CASH", Value: .05}},
		Target:     history.Weights{{Key: "SPY", Value: .6}, {Key: "TLT", Value: .4}},
		Decision:   history.LatestDecision{Date: m.Live.Last - 3},
	}
	h.models.history.Labels = []history.Label{{Key: "SPY", Kind: "asset", Name: "SPDR <Trust>"}}
	h.models.history.Beside = &history.Beside{Symbol: "SPY", From: 1, Returns: []float64{.01, -.02, .005, .01}}
	read := func(want int, headers ...string) string {
		t.Helper()
		a := h.send(t, "GET", "/model/"+m.Slug, "", headers...)
		if a.Code != want || a.Header().Get("Cache-Control") != "no-store" || !strings.HasPrefix(a.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Fatalf("%d %v %s", a.Code, a.Header(), a.body)
		}
		return a.body
	}

	// A stranger cannot tell a private model from one that does not exist.
	nonces := regexp.MustCompile(`nonce="[A-Z2-7]+"`)
	private := nonces.ReplaceAllString(read(http.StatusNotFound, "Authorization: "), "")
	absent := nonces.ReplaceAllString(h.send(t, "GET", "/model/no-such-model", "", "Authorization: ").body, "")
	if strings.ReplaceAll(absent, "no-such-model", m.Slug) != private || strings.Contains(private, m.Name) || !strings.Contains(private, "/signin?return_to=%2Fmodel%2F"+m.Slug) {
		t.Errorf("a private model reads\n%s\nan absent one\n%s", private, absent)
	}

	owner := read(http.StatusOK)
	for _, want := range []string{
		"Shares &amp; bonds.", "The last rebuild failed.", "AGG had no bar for more than 10 sessions.", "SPY has no bars since 2025-09-26", "<polyline class=\"beside\"",
		"<b>SPY</b> <span>SPDR &lt;Trust&gt;</span></td><td>70.0\u202f%</td><td>60.0\u202f%", "<b>TLT</b></td><td>0.0\u202f%</td><td>40.0\u202f%", "Compared with SPY",
	} {
		if !strings.Contains(owner, want) {
			t.Errorf("the owner's page lacks %s:\n%s", want, owner)
		}
	}
	if !strings.Contains(owner, `<a href="/run/`+runID+`">Tear &lt;sheet&gt;</a> <span class="kind">analysis</span>`) {
		t.Errorf("the owner's page does not list the analysis:\n%s", owner)
	}
	if q := h.models.query; q.Benchmark != "SPY" || q.Full || !q.Latest {
		t.Errorf("read with %+v", q)
	}
	m.IsPublic = true
	if public := read(http.StatusOK, "Authorization: "); strings.Contains(public, "rebuild failed") || strings.Contains(public, "Tear") || !strings.Contains(public, "SPY has no bars since") {
		t.Errorf("a stranger reads %s", public)
	}
	h.send(t, "GET", "/model/"+m.Slug+"?benchmark=QQQ", "")
	if h.models.query.Benchmark != "QQQ" {
		t.Errorf("compared with %q", h.models.query.Benchmark)
	}

	m.Live, m.Status, m.Failure = nil, program.StatusFailed, &program.Failure{Message: "line 3 <fails>"}
	if body := read(http.StatusOK); !strings.Contains(body, "its build failed. Line 3 &lt;fails&gt;.") {
		t.Errorf("the owner of a failed model reads %s", body)
	}
	if body := read(http.StatusOK, "Authorization: "); strings.Contains(body, "fails") {
		t.Errorf("a stranger reads %s", body)
	}
}

// A benchmark that cannot be used takes nothing else off the page.
func TestBenchmarkOfAPage(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.refuseBenchmark = fault.New(fault.InvalidParameter, "NOPE is not known")
	for address, want := range map[string]bool{"": false, "?benchmark=NOPE": true} {
		a := h.send(t, "GET", "/model/"+h.models.sheet.Slug+address, "")
		if a.Code != http.StatusOK || !strings.Contains(a.body, "<polyline") || strings.Contains(a.body, "NOPE is not known.") != want {
			t.Errorf("%s: %d %s", address, a.Code, a.body)
		}
	}
}
