package api

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"ballast/internal/fault"
	"ballast/program"
)

func TestRunPage(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	run := h.models.sheet.Live
	run.ProgramName, run.Label, run.Inputs = "Sixty <forty>", "a & b", json.RawMessage(`{"universe": ["SPY", "AGG"], "weight": 0.6, "since": null, "on": true}`)
	page := func(want int) answer {
		t.Helper()
		a := h.send(t, "GET", "/run/"+run.ID, "", "Authorization: ")
		if a.Code != want || !strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") || a.Header().Get("Cache-Control") != "no-store" ||
			!strings.HasPrefix(a.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Fatalf("%d %v %s", a.Code, a.Header(), a.body)
		}
		return a
	}
	if a := page(http.StatusNotFound); !strings.Contains(a.body, "There is no shared run") || strings.Contains(a.body, "forty") {
		t.Errorf("not shared: %s", a.body)
	}
	run.Shared = true
	a := page(http.StatusOK)
	for _, want := range []string{"Sixty &lt;forty&gt;", "a &amp; b", "<td>universe</td><td>SPY, AGG</td>", "<td>weight</td><td>0.6</td>", "<td>since</td><td>–</td>", "<td>on</td><td>true</td>", "<polyline", run.ID} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the page lacks %s:\n%s", want, a.body)
		}
	}
	// The drawing is whole.
	_, svg, _ := strings.Cut(a.body, "<svg")
	svg, _, _ = strings.Cut(svg, "</div>")
	for d := xml.NewDecoder(strings.NewReader("<svg" + svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	run.Status, run.Failure = program.RunFailed, &program.Failure{Message: "breaks <here>", Traceback: new(string)}
	if a := page(http.StatusOK); !strings.Contains(a.body, "breaks &lt;here&gt;") || strings.Contains(a.body, "<svg") {
		t.Errorf("failed: %s", a.body)
	}
	run.Status, run.Failure = program.RunQueued, nil
	if a := page(http.StatusOK); !strings.Contains(a.body, "The run is queued") {
		t.Errorf("queued: %s", a.body)
	}
	h.models.fail = fault.New(fault.Unavailable, "away")
	if a := h.send(t, "GET", "/run/"+run.ID, "", "Authorization: "); a.Code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", a.Code, a.body)
	}
}
