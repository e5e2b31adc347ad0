package api

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
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
	svg, _, _ = strings.Cut(svg, "</svg>")
	for d := xml.NewDecoder(strings.NewReader("<svg" + svg + "</svg>")); ; {
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

// Whatever the returns, every point of the plot lies within it, in the order of time.
func TestPlotsStayWithin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		returns := rapid.SliceOfN(rapid.Float64Range(-1, 3), 1, 3000).Draw(t, "returns")
		base := timeseries.Date(rapid.IntRange(-10000, 20000).Draw(t, "base"))
		dates := make([]timeseries.Date, len(returns))
		last := base
		for i := range dates {
			last += timeseries.Date(rapid.IntRange(1, 4).Draw(t, "days"))
			dates[i] = last
		}
		p := newPlot(base, dates, returns, nil)
		if p == nil {
			if metrics.Equity(nil, returns)[len(returns)] < math.MaxFloat64 {
				t.Fatal("no plot")
			}
			return
		}
		for _, points := range []string{p.Growth, p.Under} {
			before := math.Inf(-1)
			fields := strings.Fields(points)
			if len(fields) > 2*plotColumns+2 {
				t.Fatalf("%d points", len(fields))
			}
			for _, f := range fields {
				x, y, _ := strings.Cut(f, ",")
				across, down := inside(t, x, plotLeft, plotWidth), inside(t, y, 0, underBottom)
				if across < before || math.IsNaN(down) {
					t.Fatalf("%s follows %v", f, before)
				}
				before = across
			}
		}
		if len(p.Levels) == 0 || len(p.Levels) > 12 || len(p.Depths) == 0 {
			t.Fatalf("%d levels, %d depths", len(p.Levels), len(p.Depths))
		}
		for _, m := range append(append([]mark{}, p.Levels...), p.Depths...) {
			inside(t, m.At, 0, underBottom)
		}
		for _, m := range p.Times {
			inside(t, m.At, plotLeft, plotWidth)
		}
	})
}

func inside(t *rapid.T, text string, low, high float64) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= low && v <= high) {
		t.Fatalf("%s is not within %v and %v: %v", text, low, high, err)
	}
	return v
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		got  []float64
		want []float64
	}{
		{"much growth", growthScale(.8, 60).ticks(), []float64{1, 2, 5, 10, 20, 50}},
		{"some growth", growthScale(.9, 1.6).ticks(), []float64{1, 1.2, 1.4, 1.6}},
		{"all lost", growthScale(0, 1).ticks(), []float64{0, .2, .4, .6, .8, 1}},
		{"hardly any drawdown", depthTicks(-.004), []float64{0}},
		{"a drawdown", depthTicks(-.128), []float64{0, -.05, -.1}},
		{"a deep one", depthTicks(-1), []float64{0, -.5, -1}},
	} {
		for i := range test.got {
			test.got[i] = math.Round(test.got[i]*1e9) / 1e9
		}
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestTimeMarks(t *testing.T) {
	t.Parallel()
	day := timeseries.NewDate
	for _, test := range []struct {
		from, to timeseries.Date
		want     string
	}{
		{day(1990, 5, 1), day(2024, 6, 1), "1995 2000 2005 2010 2015 2020"},
		{day(2018, 5, 1), day(2021, 6, 1), "2019 2020 2021"},
		{day(2020, 2, 1), day(2021, 2, 1), "2020-04 2020-07 2020-10 2021-01"},
		{day(2020, 12, 15), day(2021, 2, 15), "2021-01 2021-02"},
		{day(2020, 12, 2), day(2020, 12, 4), ""},
	} {
		var got []string
		for _, m := range timeMarks(test.from, test.to) {
			got = append(got, m.text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s to %s: %s", test.from, test.to, diff)
		}
	}
}
