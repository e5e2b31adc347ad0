package browser

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// BenchmarkPaint measures when the largest part of a model's page is painted (at most
// 500 ms), and how much the page shifts while it loads (at most 0.02).
func BenchmarkPaint(b *testing.B) {
	s := start(b)
	var sheet struct{ Slug string }
	s.call(b, http.MethodPatch, "/v1/models/DEMO-MOM", map[string]any{"is_public": true}, &sheet)
	var paints, shifts []float64
	for b.Loop() {
		t := s.open(b)
		t.visit("/model/" + sheet.Slug)
		var seen struct{ Paint, Shift float64 }
		t.ask(paintAndShift, &seen)
		paints, shifts = append(paints, seen.Paint), append(shifts, seen.Shift)
	}
	b.ReportMetric(median(paints), "paint-ms")
	b.ReportMetric(slices.Max(shifts), "shift")
	b.ReportMetric(0, "ns/op") // most of it is the browser's start
}

// paintAndShift waits until the page has been still for a moment.
const paintAndShift = `new Promise(done => setTimeout(() => {
	const seen = {Paint: 0, Shift: 0};
	const sum = (type, add) => new PerformanceObserver(list => list.getEntries().forEach(add)).observe({type, buffered: true});
	sum("largest-contentful-paint", e => seen.Paint = e.startTime);
	sum("layout-shift", e => seen.Shift += e.hadRecentInput ? 0 : e.value);
	setTimeout(() => done(seen), 300);
}, 700))`

// BenchmarkKeystroke measures how long after a keystroke the console shows what it means:
// at most 100 ms in the screener, 250 ms in words and in the editor.
func BenchmarkKeystroke(b *testing.B) {
	s := start(b)
	t := s.open(b)
	t.signIn()
	for _, page := range []struct{ name, path, field, text string }{
		{"screener", "/console/screener", `input[name=q]`, "SYN-"},
		{"words", "/console/new", "#prompt", "60% SYN-WORLD, 40% SYN-BOND, months "},
		{"editor", "/console/models/DEMO-6040/edit", "textarea.script", "SYMBOL = "},
	} {
		b.Run(page.name, func(b *testing.B) {
			t.visit(page.path)
			var took []float64
			for b.Loop() {
				var ms float64
				t.ask(fmt.Sprintf(untilShown, page.field, page.text, string(rune('A'+len(took)%2*6))), &ms)
				took = append(took, ms)
			}
			b.ReportMetric(median(took), "shown-ms")
			b.ReportMetric(0, "ns/op") // it pauses between keystrokes
		})
	}
}

// untilShown ends a text with another character and measures until the page says something
// else. It pauses before.
const untilShown = `new Promise((done, fail) => setTimeout(() => {
	const field = document.querySelector(%q), began = performance.now();
	const seen = new MutationObserver(() => { seen.disconnect(); done(performance.now() - began); });
	seen.observe(document.querySelector("main"), {childList: true, subtree: true, characterData: true});
	field.value = %q + %q;
	field.dispatchEvent(new Event("input", {bubbles: true}));
	setTimeout(() => fail("nothing was shown"), 5000);
}, 400))`

// ask evaluates an expression that promises a value.
func (b *tab) ask(expression string, value any) {
	b.t.Helper()
	b.run(chromedp.Evaluate(expression, value, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
