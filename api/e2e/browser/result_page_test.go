package browser

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestResultPage reads the page of a model: with the keyboard, with a pointer and without
// scripts.
func TestResultPage(t *testing.T) {
	t.Parallel()
	b := start(t).open(t)
	b.signIn()
	var path string
	b.run(chromedp.Evaluate(`new URL(document.querySelector('main a[href*="/model/"]').href).pathname`, &path))
	b.look(path + "?compare=DEMO-6040,DEMO-MOM&management_pct=1")

	b.run(emulation.SetDeviceMetricsOverride(1000, 900, 1, false))
	b.visit(path)
	b.until(`document.querySelectorAll(".stage canvas").length === 2`)
	var shift float64
	b.run(chromedp.Evaluate(`new Promise((done) => {
		let sum = 0;
		new PerformanceObserver((list) => { for (const e of list.getEntries()) sum += e.value; }).observe({ type: "layout-shift", buffered: true });
		setTimeout(() => done(sum), 500);
	})`, &shift, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if shift > 0.02 {
		t.Errorf("the layout shifts by %v", shift)
	}

	before := b.readout()
	b.run(chromedp.Focus(".stage", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowLeft))
	after := b.readout()
	if day := regexp.MustCompile(`^\d{4}-\d\d-\d\d: [0-9.]+, `); before[:10] <= after[:10] || !day.MatchString(after) {
		t.Errorf("the readout is %q, and %q a day earlier", before, after)
	}
	var spoken string
	b.run(chromedp.Evaluate(`document.querySelector(".stage").getAttribute("aria-valuetext")`, &spoken))
	if spoken != after {
		t.Errorf("a screen reader says %q", spoken)
	}

	var box struct{ X, Y float64 }
	b.run(chromedp.Evaluate(`(({ x, y }) => ({ X: x, Y: y }))(document.querySelector(".stage").getBoundingClientRect())`, &box))
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		for _, step := range []struct {
			kind   input.MouseType
			across float64
		}{{input.MouseMoved, 200}, {input.MousePressed, 200}, {input.MouseMoved, 300}, {input.MouseMoved, 450}, {input.MouseReleased, 450}} {
			m := input.DispatchMouseEvent(step.kind, box.X+step.across, box.Y+80).WithButton(input.Left).WithClickCount(1)
			if step.kind == input.MouseMoved {
				m = input.DispatchMouseEvent(step.kind, box.X+step.across, box.Y+80)
			}
			if err := m.Do(ctx); err != nil {
				return err
			}
		}
		return nil
	}), chromedp.Sleep(200*time.Millisecond))
	if text := b.readout(); !strings.Contains(text, ". From ") {
		t.Errorf("after a part was chosen the readout is %q", text)
	}
	b.shot("part")
	b.run(chromedp.Focus(".stage", chromedp.ByQuery), chromedp.KeyEvent(kb.Escape), chromedp.Sleep(200*time.Millisecond))
	if text := b.readout(); strings.Contains(text, ". From ") {
		t.Errorf("after Escape the readout is %q", text)
	}

	b.run(emulation.SetScriptExecutionDisabled(true))
	b.visit(path)
	b.run(chromedp.WaitVisible(".stage svg polyline.growth", chromedp.ByQuery))
}

// readout is what the page says of the day under the cursor.
func (b *tab) readout() string {
	b.t.Helper()
	var text string
	b.run(chromedp.Text(".readout", &text, chromedp.ByQuery))
	return text
}
