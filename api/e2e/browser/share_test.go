package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestStrangerOpensAShare shares a model with the keyboard alone, opens the link in another
// browser profile, pauses and ends it, and finds it gone.
func TestStrangerOpensAShare(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := s.open(t)
	b.signIn()
	b.visit("/console/models/DEMO-MOM")
	b.press("main a[href$='/share']", kb.Enter)
	b.until(`location.pathname.endsWith("/share") && document.querySelector("input[name=panel]") !== null`)
	b.press("input[name=name]", "For Carol")
	for _, part := range []string{"months", "rolling", "drawdowns", "parts", "trades", "contributions", "costs", "compare", "downloads", "inputs", "run"} {
		b.press("input[value="+part+"]", " ")
	}
	b.shot("form of a share")
	b.press("main button.first", kb.Enter)
	b.until(`document.querySelector("#share-address") !== null`)
	b.audit("share made")
	b.shot("share made")
	var address, frame string
	b.run(chromedp.Value("#share-address", &address, chromedp.ByQuery), chromedp.Value("#share-embed", &frame, chromedp.ByQuery))
	if !strings.Contains(frame, address+"/embed") {
		t.Errorf("the frame is %s", frame)
	}

	at := strings.TrimPrefix(address, s.url)
	stranger := s.open(t)
	stranger.look(at)
	stranger.visit(at)
	stranger.until(`document.querySelectorAll(".panel").length === 3 && document.querySelector("a[href^='/signin']") === null`)
	stranger.look(at + "/embed")

	b.look("/console/shares") // takes longer than views wait before they are stored
	b.until(`Number(document.querySelector("tbody td.number").textContent) > 0`)
	for _, step := range []struct {
		button string
		want   int
	}{{"pause", http.StatusNotFound}, {"resume", http.StatusOK}} {
		b.press("button[value="+step.button+"]", kb.Enter)
		b.until(`document.querySelector("button[value=` + step.button + `]") === null && document.querySelector("main h1")?.textContent === "Shares"`)
		if got := status(t, address); got != step.want {
			t.Errorf("after %s the share answers %d", step.button, got)
		}
	}
	b.press("details.sure summary", kb.Enter)
	b.shot("ending a share")
	b.press("button[value=end]", kb.Enter)
	b.until(`document.querySelector("main")?.textContent.includes("There is no share yet")`)
	if got := status(t, address); got != http.StatusNotFound {
		t.Errorf("an ended share answers %d", got)
	}
}

// press moves the focus with Tab to what a selector names, and presses keys there.
func (b *tab) press(selector, keys string) {
	b.t.Helper()
	for range 100 {
		var there bool
		b.run(chromedp.Evaluate(`document.activeElement?.matches(`+quoted(selector)+`) === true`, &there))
		if there {
			b.run(chromedp.KeyEvent(keys))
			return
		}
		b.run(chromedp.KeyEvent(kb.Tab))
	}
	b.t.Fatalf("Tab does not come to %s", selector)
}

// status is what an address answers to a stranger.
func status(t *testing.T, address string) int {
	t.Helper()
	response, err := http.Get(address) //nolint:noctx,gosec // a stranger's request
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}
