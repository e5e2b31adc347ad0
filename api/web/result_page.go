package web

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"ballast/api/web/chart"
	plotting "ballast/api/web/plot"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

//go:embed result.css
var resultPageStyle string

// resultPage shows the result of a shared run, or of the run that a model serves. If
// the reader may not see it, the page has only a title and a Refusal.
type resultPage struct {
	Style   template.CSS
	Nonce   string // of the style sheet and the script
	Script  string // address of the script
	Title   string
	Refusal string
	SignIn  string // where to sign in to read more; "" if that does not help

	Description, Label string
	State              string // why there is no result; "" if there is one
	Warnings           []string
	Window, Base       string
	AsOf, Fresh        string   // the last close, and whether that is the latest one
	Limit              string   // what keeps the history from beginning earlier
	Backfills          []string // which members follow proxies at first
	Note               string   // about the benchmark
	Panels             template.HTML
	Plot               *plot
	View               *view
	Figures            []measure
	Versus             *versus
	Holdings           *holdings
	Allocation         template.HTML // over time; "" if there is nothing to draw
	Parts              []part
	Trades             []tradeRow
	MoreTrades         int
	Years              []yearRow
	Rolling            []rollingRow
	RollingDrawn       template.HTML // "" if there is nothing to draw
	Drawdowns          []drawdownRow
	Contributions      *contributions
	Costs              *costs
	Timing             *timingLuck // for the owner of a model
	Overlay            *overlay
	Downloads          *downloads
	Studies            []program.Study // for the owner of a model
	Proof              string          // that the script does not look ahead
	Answer             *answer         // nil for models
	Inputs             []figure
	Facts              []figure

	shows    func(panel string) bool // nil: all panels
	embedded bool                    // in a frame of another site
	first    timeseries.Date         // of the view that a model has by default; NoDate if that is the whole result
}

// figure is a named value.
type figure struct{ Name, Value string }

// defaultBenchmark is what pages compare with, if it has bars here and the address
// names no other asset.
const defaultBenchmark = "SPY"

// serveResult writes a page that no cache keeps, because it may stop being shared at
// any moment.
func (s *Site) serveResult(w http.ResponseWriter, r *http.Request, page *resultPage, err error) {
	if err != nil {
		s.Refusals.Refuse(w, r, err)
		return
	}
	page.Style = template.CSS(referenceStyle + plotting.Style + chart.Style + resultPageStyle) //nolint:gosec // our own files
	page.Nonce, page.Script = rand.Text(), s.files.Address("plot.js")
	body, err := page.render()
	if err != nil {
		s.Refusals.Refuse(w, r, err)
		return
	}
	htmlHeaders(w.Header())
	ancestors := "'none'"
	if page.embedded {
		ancestors = "*"
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'nonce-"+page.Nonce+"'; script-src 'nonce-"+page.Nonce+"'; "+
		"base-uri 'none'; form-action 'self'; frame-ancestors "+ancestors+"; require-trusted-types-for 'script'; trusted-types 'none'")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("X-Robots-Tag", "noindex")
	if page.Refusal != "" {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = w.Write(body)
}

// readHistory reads the history that a page is about, as its reader may see it.
type readHistory func(ctx context.Context, q history.Query) (*history.History, error)

// fill adds the result of a run to a page. It returns fault.NotFound if the run has
// been deleted since it was read.
func (s *Site) fill(ctx context.Context, readerID string, page *resultPage, run *program.Run, read readHistory, q history.Query, address url.Values) error {
	page.about(run)
	if run.Status != program.RunComplete {
		return nil
	}
	q.Benchmark = address.Get("benchmark")
	page.Costs, q.Rates, q.Fees = costsAsked(address)
	page.View = viewAsked(address)
	q.Start, q.End = timeseries.NoDate, timeseries.NoDate
	if start := page.View.start(run.Last); start > page.first {
		q.Start = start
	}
	page.Note = page.View.note
	h, err := compared(ctx, page, read, q)
	if err != nil {
		return err
	}
	page.Warnings, page.Proof = warningsOf(run), proofOf(run)
	if len(h.Dates) == 0 {
		page.State = "The run is complete but has no returns yet."
		return nil
	}
	last := h.Dates[len(h.Dates)-1]
	page.Base, page.Window, page.AsOf = h.Base.String(), fmt.Sprintf("%s to %s", h.Dates[0], last), last.String()
	var shaded []span
	shaded, page.Backfills = backfilled(run.Members, h.Dates[0], last)
	page.Plot = newPlot(h, page.View.linear, shaded)
	page.Holdings = holdingsOf(h)
	page.Parts, page.Contributions = partsOf(h), contributionsOf(h)
	page.Trades, page.MoreTrades = tradesOf(h)
	if h.Metrics != nil {
		page.Figures, page.Years = headlines(h.Metrics), yearRows(h)
		page.Drawdowns = drawdownRows(h.Metrics.Drawdowns)
		if page.Rolling, page.RollingDrawn, err = rollingOf(h); err != nil {
			return err
		}
		page.Versus = versusOf(h)
		page.Costs.compare(h)
	}
	if page.Overlay, err = s.overlaid(ctx, readerID, page.Title, h, address); err != nil {
		return err
	}
	page.Allocation, err = allocationOf(h)
	return err
}

// proofOf says how it was shown that the script does not look ahead.
func proofOf(run *program.Run) string {
	if run.Summary == nil || run.Summary.Causality == nil || !run.Summary.Causality.Causal || len(run.Summary.Causality.Cuts) == 0 {
		return ""
	}
	cuts := run.Summary.Causality.Cuts
	dates := make([]string, len(cuts))
	for i, c := range cuts {
		dates[i] = c.Date.String()
	}
	return fmt.Sprintf("The script was run again on bars that end on %s. Every decision and return up to there was the same, so it does not look ahead.", strings.Join(dates, ", "))
}

// about adds what a page says of a run of any kind in any state.
func (page *resultPage) about(run *program.Run) {
	page.Inputs, page.Facts = inputsShown(run.Inputs), factsOf(run)
	switch {
	case run.Status == program.RunFailed && run.Failure != nil:
		page.State = "The run failed: " + run.Failure.Message
	case run.Status == program.RunFailed:
		page.State = "The run failed."
	case run.Status != program.RunComplete:
		page.State = fmt.Sprintf("The run is %s. Reload this page when it has ended.", run.Status)
	}
}

// compared reads the blocks that a page shows. If the benchmark cannot be used, the
// history is read without one; if the reader asked for it, the page says why.
func compared(ctx context.Context, page *resultPage, read readHistory, q history.Query) (*history.History, error) {
	q.Returns, q.Metrics, q.Latest, q.Custom, q.Beside = true, true, true, true, true
	q.Allocation, q.Tree, q.Contribution = true, true, true
	asked := q.Benchmark
	if asked == "" {
		q.Benchmark = defaultBenchmark
	}
	h, err := read(ctx, q)
	var refused *fault.Error
	if t := fault.TypeOf(err); t != fault.InvalidParameter && t != fault.Unavailable || !errors.As(err, &refused) {
		return h, err
	}
	if asked != "" {
		page.Note = sentence(refused.Message)
		if len(refused.Details) > 0 {
			page.Note = sentence(refused.Details[0].Message)
		}
	}
	q.Benchmark = ""
	return read(ctx, q)
}

// warningsOf returns what the reader of a result should know before its figures: the
// engine's warnings, and members whose bars end before the result does.
func warningsOf(run *program.Run) []string {
	var warnings []string
	for _, m := range run.Members {
		if m.Last != timeseries.NoDate && run.Last-m.Last > endedDays {
			warnings = append(warnings, fmt.Sprintf("%s has no bars since %s, and the result ends on %s. Its position has been held as cash since then, unless the script chose something else.", m.Key, m.Last, run.Last))
		}
	}
	if run.Summary == nil {
		return warnings
	}
	for _, w := range run.Summary.Warnings {
		warnings = append(warnings, sentence(w.Message))
	}
	return warnings
}

// endedDays is how many calendar days a member's bars may end before the result:
// slightly more than the ten sessions after which a member is suspended.
const endedDays = 16

// sentence adds a capital letter and a full stop to a message.
func sentence(message string) string {
	if message == "" || strings.HasSuffix(message, ".") {
		return message
	}
	return strings.ToUpper(message[:1]) + message[1:] + "."
}

// inputsShown returns the inputs of a run, sorted by name.
func inputsShown(raw json.RawMessage) []figure {
	values := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&values) != nil {
		return nil
	}
	var shown []figure
	for _, name := range slices.Sorted(maps.Keys(values)) {
		shown = append(shown, figure{name, inputShown(values[name])})
	}
	return shown
}

func inputShown(value any) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case string:
		return v
	case []any:
		texts := make([]string, len(v))
		for i, x := range v {
			texts[i] = inputShown(x)
		}
		return strings.Join(texts, ", ")
	}
	return fmt.Sprint(value)
}

// Facts that tell something of the script.
const (
	scriptFact    = "Script (SHA-256)"
	optimizerFact = "Optimizer "
)

func factsOf(run *program.Run) []figure {
	facts := []figure{{"Run", run.ID}, {"Started", run.CreatedAt.UTC().Format("2006-01-02 15:04 MST")}, {scriptFact, run.ScriptHash}}
	var private []string
	for _, m := range run.Members {
		if m.Private {
			private = append(private, m.Key)
		}
	}
	if len(private) > 0 {
		facts = append(facts, figure{"Members kept private", strings.Join(private, ", ")})
	}
	if run.Summary != nil && run.Summary.Optimizers != nil {
		for _, o := range *run.Summary.Optimizers {
			facts = append(facts, figure{optimizerFact + o.Name, optimizerUse(o)})
		}
	}
	if run.Status == program.RunComplete {
		facts = append(facts, figure{"Result (SHA-256)", run.ResultHash}, figure{"Harness", run.HarnessVersion})
	}
	return facts
}

// optimizerUse says which version of an optimizer a run has used, and how its weights were
// proven.
func optimizerUse(o program.OptimizerUse) string {
	said := fmt.Sprintf("version %d; problems solved: %d", o.Version, o.Solves)
	if o.Fallbacks > 0 {
		said += fmt.Sprintf(", %d of them by the fallback, because no weights are within the limits", o.Fallbacks)
	}
	switch {
	case o.WorstKKTResidual != nil:
		said += fmt.Sprintf("; the largest residual of a proof of optimality is %.1g", *o.WorstKKTResidual)
	case o.WorstViolation != nil:
		said += fmt.Sprintf("; weights of a script, of which a limit was missed by at most %.1g", *o.WorstViolation)
	}
	return said
}

// unwrapped joins the lines of each paragraph of a description, which a script breaks to
// its width. Lines that are indented or begin with a mark stay.
func unwrapped(text string) string {
	lines := strings.Split(text, "\n")
	var b strings.Builder
	for i, line := range lines {
		line = strings.TrimRight(line, " \r\t")
		if i > 0 {
			before, first := strings.TrimSpace(lines[i-1]), ' '
			for _, r := range line {
				first = r
				break
			}
			if before != "" && (unicode.IsLetter(first) || unicode.IsDigit(first)) {
				b.WriteByte(' ')
			} else {
				b.WriteByte('\n')
			}
		}
		b.WriteString(line)
	}
	return b.String()
}
