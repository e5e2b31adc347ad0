package browser

import (
	"bufio"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ballast/internal/testenv"
)

var binary testenv.Binary

func TestMain(m *testing.M) {
	code := m.Run()
	binary.Remove()
	os.Exit(code)
}

// service is a demonstration that serves until the test ends.
type service struct{ url, key string }

var address = regexp.MustCompile(`(?m)^URL +(\S+)|^Key +(\S+)`)

// start starts a demonstration: a sample market and three models.
func start(t testing.TB) *service {
	t.Helper()
	if os.Getenv("BALLAST_BROWSER") == "" {
		t.Skip("set BALLAST_BROWSER=1, or run make browser, to test the pages in Chromium")
	}
	c := exec.CommandContext(t.Context(), binary.Path(t), "demo", "--listen", "127.0.0.1:0") //nolint:gosec // the binary that the test has built
	c.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 40 * time.Second
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	})
	s := &service{}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := address.FindStringSubmatch(lines.Text()); found != nil {
			s.url, s.key = s.url+found[1], s.key+found[2]
		}
		if s.key != "" {
			break
		}
	}
	if s.key == "" {
		t.Fatal("the demonstration did not start")
	}
	go func() { // it must not block on a full pipe
		for lines.Scan() { //nolint:revive // nothing more is needed of it
		}
	}()
	return s
}

// tab is a tab of a new browser profile. It collects what the browser complains about.
type tab struct {
	context.Context
	t testing.TB
	s *service

	lock       sync.Mutex
	complaints []string
}

// open opens a browser. Its complaints fail the test when it ends.
func (s *service) open(t testing.TB, options ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	options = append(append(chromedp.DefaultExecAllocatorOptions[:], chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox), options...)
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	ctx, expire := context.WithTimeout(ctx, 3*time.Minute)
	b := &tab{Context: ctx, t: t, s: s}
	chromedp.ListenTarget(ctx, b.listen)
	t.Cleanup(func() {
		expire()
		cancel()
		stop()
		b.lock.Lock()
		defer b.lock.Unlock()
		for _, complaint := range b.complaints {
			t.Errorf("the browser complains: %s", complaint)
		}
	})
	b.run(log.Enable(), runtime.Enable())
	return b
}

func (b *tab) listen(event any) {
	b.lock.Lock()
	defer b.lock.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError && !strings.Contains(e.Entry.URL, "favicon.ico") && !strings.Contains(e.Entry.Text, "status of 409") {
			b.complaints = append(b.complaints, e.Entry.Text+" "+e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, e.ExceptionDetails.Error())
	}
}

// run runs actions, which must succeed.
func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		b.shot("failed")
		b.t.Fatal(err)
	}
}

// visit reads a page.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.s.url + path))
}

// signIn signs in with the keyboard alone.
func (b *tab) signIn() {
	b.t.Helper()
	b.visit("/console")
	b.run(chromedp.WaitVisible(`input[name=key]`, chromedp.ByQuery), chromedp.Focus(`input[name=key]`, chromedp.ByQuery), chromedp.KeyEvent(b.s.key+"\r"))
	b.until(`document.querySelector('main h1')?.textContent === 'Models'`)
}

// until waits until an expression of the page is true.
func (b *tab) until(expression string) {
	b.t.Helper()
	var last bool
	deadline := time.Now().Add(60 * time.Second)
	for time.Now().Before(deadline) {
		if err := chromedp.Run(b, chromedp.Evaluate(expression, &last)); err == nil && last {
			return
		}
		if chromedp.Run(b, chromedp.Sleep(50*time.Millisecond)) != nil {
			break
		}
	}
	b.shot("failed")
	var text string
	_ = chromedp.Run(b, chromedp.Evaluate(`location.href + "\n" + document.body.innerText.slice(0, 3000)`, &text))
	b.t.Fatalf("it never became true that %s:\n%s", expression, text)
}

// shot keeps a picture of the page if somebody wants to look at it.
func (b *tab) shot(name string) {
	folder := os.Getenv("BALLAST_SCREENSHOTS")
	if folder == "" {
		return
	}
	var picture []byte
	if err := chromedp.Run(b, chromedp.FullScreenshot(&picture, 100)); err != nil {
		b.t.Logf("no picture of %s: %v", name, err)
		return
	}
	if err := os.WriteFile(filepath.Join(folder, strings.NewReplacer("/", "_", "?", "_", " ", "_").Replace(b.t.Name()+"_"+name)+".png"), picture, 0o600); err != nil {
		b.t.Log(err)
	}
}

//go:embed testdata/axe.min.js
var axe string

// axeHash is the hash of axe-core 4.14.1 as it was published.
const axeHash = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

func TestAxeIsTheOneThatWasPublished(t *testing.T) {
	t.Parallel()
	if sum := sha256.Sum256([]byte(axe)); hex.EncodeToString(sum[:]) != axeHash {
		t.Errorf("testdata/axe.min.js has the hash %x", sum)
	}
}

// audit fails if axe-core finds anything on the page.
func (b *tab) audit(name string) {
	b.t.Helper()
	var found []struct {
		ID, Help string
		Nodes    []struct {
			HTML, FailureSummary string
		}
	}
	var text string
	b.run(chromedp.Evaluate(axe+";0", nil), chromedp.Evaluate(
		`axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => JSON.stringify(r.violations))`, &text,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range found {
		for _, n := range f.Nodes {
			b.t.Errorf("%s: %s (%s): %.300s\n%s", name, f.Help, f.ID, n.HTML, n.FailureSummary)
		}
	}
}

// looks are the circumstances in which each page is looked at.
var looks = []struct {
	name   string
	scheme string
	width  int64
}{{"light-wide", "light", 1400}, {"dark-wide", "dark", 1400}, {"light-narrow", "light", 360}, {"dark-narrow", "dark", 360}}

// look audits a page, light and dark, wide and narrow, and requires that it does not
// scroll sideways.
func (b *tab) look(path string) {
	b.t.Helper()
	for _, l := range looks {
		b.run(emulation.SetDeviceMetricsOverride(l.width, 900, 1, false),
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}))
		b.visit(path)
		b.audit(path + " " + l.name)
		var wide []string
		b.run(chromedp.Evaluate(`document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
			[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll")).map(e => e.outerHTML.slice(0, 100))`, &wide))
		if len(wide) > 0 {
			b.t.Errorf("%s %s: the page scrolls sideways because of %q", path, l.name, wide)
		}
		b.shot(path + " " + l.name)
	}
	b.run(emulation.ClearDeviceMetricsOverride())
}

// TestPagesAreAccessible looks at every page.
func TestPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b := start(t).open(t)
	for _, path := range []string{"/signin", "/docs", "/docs/metrics", "/docs/prompts", "/docs/sharing"} {
		b.look(path)
	}
	b.signIn()
	for _, path := range []string{
		"/console", "/console?status=failed", "/console/new", "/console/new?from=form", "/console/new?from=script", "/console/trash", "/console/models/DEMO-6040",
		"/console/models/DEMO-6040/edit", "/console/models/DEMO-6040/runs", "/console/models/DEMO-6040/revisions", "/console/models/DEMO-MOM/runs/new", "/console/simulations", "/console/analyses", "/console/trash?kind=simulation",
		"/console/new?from=simulation", "/console/new?from=analysis&function=factors", "/console/optimizers", "/console/optimizers/new", "/console/screener", "/console/screener?q=world&column=issuer",
		"/console/shares", "/console/models/DEMO-6040/share", "/console/account", "/console/account/keys", "/console/account/charges", "/console/account/webhooks", "/console/account/changes",
	} {
		b.look(path)
	}
	b.lookAtRuns()
}

// lookAtRuns runs a model with other inputs and looks at the run and the comparison.
func (b *tab) lookAtRuns() {
	b.t.Helper()
	b.visit("/console/models/DEMO-MOM/runs/new")
	b.run(chromedp.SetValue(`#input-hold`, "1", chromedp.ByQuery), chromedp.SetValue(`#label`, "one <b>alone</b>", chromedp.ByQuery), chromedp.Submit(`main form`, chromedp.ByQuery))
	b.until(`location.pathname.includes("/runs/run_") && document.querySelector("main a[href^='/run/run_']") !== null`)
	var run string
	b.run(chromedp.Location(&run))
	b.look(strings.TrimPrefix(run, b.s.url))
	b.visit("/console/models/DEMO-MOM/runs")
	for _, n := range []string{"1", "2"} {
		b.run(chromedp.Click(`tbody tr:nth-child(`+n+`) input[name=run]`, chromedp.ByQuery))
	}
	b.run(chromedp.Submit(`form[action="/console/compare"]`, chromedp.ByQuery))
	b.until(`location.pathname === "/console/compare" && document.querySelectorAll(".chart polyline").length === 2`)
	b.run(chromedp.Location(&run))
	b.look(strings.TrimPrefix(run, b.s.url))
}

// TestJourney makes a model from words and comes to its page, with the keyboard alone.
func TestJourney(t *testing.T) {
	t.Parallel()
	b := start(t).open(t)
	b.signIn()
	b.visit("/console/new")
	b.until(`document.activeElement?.id === "prompt"`)
	b.run(chromedp.KeyEvent("60% SYN-WORLD and 40% SYN-BNOD, rebalanced quarterly"))
	b.until(`document.querySelector("#understood mark")?.textContent.startsWith("SYN-BNOD")`)
	b.shot("not understood")
	b.run(chromedp.Evaluate(`document.getElementById("prompt").select()`, nil), chromedp.KeyEvent("60% SYN-WORLD and 40% SYN-BOND, rebalanced quarterly"))
	b.until(`document.querySelector("#understood pre")?.textContent.includes("quarterly")`)
	b.audit("understood")
	b.shot("understood")
	b.run(chromedp.Focus(`button[value=create]`, chromedp.ByQuery), chromedp.KeyEvent("\r"))
	b.until(`location.pathname.startsWith("/model/")`)
	b.shot("made")
	b.visit("/console")
	b.until(`document.querySelectorAll("#models tbody tr").length === 4 && document.querySelectorAll("#models svg").length === 4`)
}

// TestWithoutJavaScript makes a model with a form and deletes and restores it.
func TestWithoutJavaScript(t *testing.T) {
	t.Parallel()
	b := start(t).open(t)
	b.run(emulation.SetScriptExecutionDisabled(true), page.Enable())
	b.signIn()
	b.visit("/console/new?from=form")
	b.run(chromedp.SendKeys(`#member-0`, "SYN-WORLD", chromedp.ByQuery), chromedp.SendKeys(`#share-0`, "100", chromedp.ByQuery))
	b.run(chromedp.Submit(`main form`, chromedp.ByQuery))
	b.until(`document.querySelector("#understood pre") !== null`)
	b.shot("form")
	b.run(chromedp.Click(`button[value=create]`, chromedp.ByQuery))
	b.until(`location.pathname.startsWith("/model/")`)
	b.visit("/console")
	b.run(chromedp.Click(`#models tbody tr:first-child summary`, chromedp.ByQuery), chromedp.Click(`#models tbody tr:first-child .sure button`, chromedp.ByQuery))
	b.until(`document.querySelector("main h1").textContent === "Trash" && document.querySelectorAll("tbody tr").length === 1`)
	b.run(chromedp.Click(`form[action$=restore] button`, chromedp.ByQuery))
	b.until(`document.querySelectorAll("#models tbody tr").length === 4`)
}

// TestEditor changes a script as one types, tests it and lets the model serve the test. A
// second tab cannot overwrite the draft.
func TestEditor(t *testing.T) {
	t.Parallel()
	s := start(t)
	b, other := s.open(t), s.open(t)
	b.signIn()
	other.signIn()
	for _, tab := range []*tab{b, other} {
		tab.visit("/console/models/DEMO-6040/edit")
		tab.until(`document.querySelector(".cm-content") !== null`)
	}
	// type puts a text at the end of the script, as if it were typed.
	typed := func(tab *tab, text string) {
		tab.run(chromedp.Focus(".cm-content", chromedp.ByQuery), chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(input.ModifierCtrl)), chromedp.KeyEvent("\n"+text))
	}
	typed(b, "# another line")
	b.until(`document.querySelector("#draft-state .diff")?.textContent.includes("another line") && Number(document.querySelector("[name=version]").value) > 0`)
	typed(b, "1 +")
	b.until(`document.querySelector("#draft-state .problems") !== null && document.querySelector(".cm-lint-marker-error") !== null`)
	b.audit("problems")
	b.shot("problems")
	typed(other, "# from the other tab")
	other.until(`document.querySelector("button[value=overwrite]") !== null && document.querySelector(".cm-content").textContent.includes("from the other tab")`)
	other.audit("conflict")
	other.shot("conflict")
	for range len("\n1 +") {
		b.run(chromedp.KeyEvent(kb.Backspace))
	}
	b.until(`document.querySelector("#draft-state .problems") === null`)
	b.run(chromedp.Focus(`button[value=test]`, chromedp.ByQuery), chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("button[value=apply]") !== null && document.querySelector("#draft-test tbody") !== null`)
	b.audit("tested")
	b.shot("tested")
	b.run(chromedp.Focus(`button[value=apply]`, chromedp.ByQuery), chromedp.KeyEvent("\r"))
	b.until(`location.pathname.startsWith("/model/")`)
	b.visit("/console/models/DEMO-6040/edit")
	b.until(`document.querySelector("#draft-state [role=status]").textContent.includes("same as what is served") && document.querySelector("textarea.script").value.includes("another line")`)
}
