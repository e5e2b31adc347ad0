package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"ballast/catalog"
	"ballast/timeseries/bars/importing"
)

// meter shows a command's progress: a bar on a terminal, and elsewhere a line every
// few seconds, so that logs show that a long command is still running. It never
// moves backwards, and ends at 100 % when the command succeeds. Errors in drawing
// are ignored, because they must not fail the command.
type meter struct {
	mu    sync.Mutex
	w     io.Writer
	title string
	bar   *progressbar.ProgressBar // nil unless w is a terminal
	done  int                      // steps out of meterSteps
	told  time.Time                // when the last line was written; at first, when the meter was made
	ended bool
}

const (
	meterSteps = 1000
	tellEvery  = 5 * time.Second
)

func newMeter(w io.Writer, title string) *meter {
	m := &meter{w: w, title: title, told: time.Now()}
	if isTerminal(w) {
		m.bar = progressbar.NewOptions(meterSteps,
			progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(title), progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(false),
			progressbar.OptionOnCompletion(func() { fmt.Fprintln(w) }))
	}
	return m
}

// set reports that the share done, from 0 to 1, is complete, and what is in progress.
func (m *meter) set(done float64, what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended {
		return
	}
	// Only end draws the last step: until then, work remains.
	if now := min(int(done*meterSteps), meterSteps-1); now > m.done {
		m.done = now
	}
	text := strings.TrimSuffix(m.title+": "+what, ": ")
	switch {
	case m.bar != nil:
		m.bar.Describe(text)
		_ = m.bar.Set(m.done)
	case time.Since(m.told) >= tellEvery:
		m.told = time.Now()
		fmt.Fprintf(m.w, "%s, %d %%\n", text, 100*m.done/meterSteps)
	}
}

// setCount reports progress as a count out of a known total.
func (m *meter) setCount(done, total int64, what string) {
	if total > 0 {
		m.set(float64(done)/float64(total), what)
	}
}

// setOpenCount reports progress without a known total: as n grows far beyond scale,
// the meter approaches to and never reaches it.
func (m *meter) setOpenCount(from, to float64, n, scale int, what string) {
	m.set(from+(to-from)*float64(n)/float64(n+scale), what)
}

// print clears the bar, so that write can print other output.
func (m *meter) print(write func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bar != nil && !m.ended {
		_ = m.bar.Clear()
	}
	write()
}

// end stops the meter: at 100 % if err is nil, otherwise where it stands.
func (m *meter) end(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended || m.bar == nil {
		m.ended = true
		return
	}
	m.ended = true
	if err != nil {
		_ = m.bar.Exit()
		fmt.Fprintln(m.w)
		return
	}
	m.bar.Describe(m.title)
	_ = m.bar.Finish()
}

// barSteps gives each step of an import its share of the meter, by how long the
// steps usually take.
var barSteps = map[importing.Step]struct{ from, to float64 }{
	importing.Reading: {0, 0.5}, importing.Checking: {0.5, 0.65}, importing.Merging: {0.65, 0.85}, importing.Writing: {0.85, 0.97}, importing.Committing: {0.97, 1},
}

// bars shows an import of bars in the section of the meter between from and to.
func (m *meter) bars(from, to float64, what string) func(importing.Progress) {
	return func(p importing.Progress) {
		s := barSteps[p.Step]
		part := s.from + (s.to-s.from)*float64(p.Done)/float64(max(p.Total, 1))
		m.set(from+(to-from)*part, strings.TrimPrefix(what+", ", ", ")+string(p.Step))
	}
}

// catalog shows an import of a list of assets. The number of rows is unknown while
// the file is being read.
func (m *meter) catalog(p catalog.ImportProgress) {
	switch {
	case p.Total < 0:
		m.setOpenCount(0, 0.4, p.Done, 20_000, fmt.Sprintf("%s, %d rows", p.Step, p.Done))
	case p.Step == "classifying":
		m.set(0.4+0.3*float64(p.Done)/float64(max(p.Total, 1)), p.Step)
	default:
		m.set(0.7+0.3*float64(p.Done)/float64(max(p.Total, 1)), p.Step)
	}
}

// shares divides the meter among files by their sizes: file i goes from shares[i] to
// shares[i+1]. A file that cannot be read counts as empty; importing it reports why.
func shares(paths []string) []float64 {
	out := make([]float64, len(paths)+1)
	var total float64
	for i, path := range paths {
		total++
		if info, err := os.Stat(path); err == nil {
			total += float64(info.Size())
		}
		out[i+1] = total
	}
	for i := range out {
		out[i] /= max(total, 1)
	}
	return out
}
