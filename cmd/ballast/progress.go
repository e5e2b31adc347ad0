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

// meter shows how far a command is: as a bar on a terminal, elsewhere as a line
// every few seconds, so that logs say that a long command goes on. It never goes
// back, and a command that succeeds ends it at 100 %. Drawing is a courtesy: its
// errors are ignored.
type meter struct {
	mu    sync.Mutex
	w     io.Writer
	title string
	bar   *progressbar.ProgressBar // nil where w is no terminal
	done  int                      // of meterSteps
	told  time.Time                // when the last line was written, or the meter made
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

// set says which part of the whole is done, from 0 to 1, and what is in progress.
func (m *meter) set(part float64, what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ended {
		return
	}
	// The last step is drawn by finish: before it something is still to do.
	if now := min(int(part*meterSteps), meterSteps-1); now > m.done {
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

// of is set for work whose total is known.
func (m *meter) of(done, total int64, what string) {
	if total > 0 {
		m.set(float64(done)/float64(total), what)
	}
}

// count is set for work without a known total: the part approaches 1, and never
// reaches it, as n grows far beyond scale.
func (m *meter) count(from, to float64, n, scale int, what string) {
	m.set(from+(to-from)*float64(n)/float64(n+scale), what)
}

// print writes something else, with the bar out of its way.
func (m *meter) print(write func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bar != nil && !m.ended {
		_ = m.bar.Clear()
	}
	write()
}

// end ends the meter: at 100 % where err is nil, else where it is.
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

// barSteps says which part of an import each step is, by how long they take.
var barSteps = map[importing.Step]struct{ from, to float64 }{
	importing.Reading: {0, 0.5}, importing.Checking: {0.5, 0.65}, importing.Merging: {0.65, 0.85}, importing.Writing: {0.85, 0.97}, importing.Committing: {0.97, 1},
}

// bars shows an import of bars that is the part from–to of the whole.
func (m *meter) bars(from, to float64, what string) func(importing.Progress) {
	return func(p importing.Progress) {
		s := barSteps[p.Step]
		part := s.from + (s.to-s.from)*float64(p.Done)/float64(max(p.Total, 1))
		m.set(from+(to-from)*part, strings.TrimPrefix(what+", ", ", ")+string(p.Step))
	}
}

// catalog shows an import of a list of assets. How many rows the file has is not
// known while it is read.
func (m *meter) catalog(p catalog.ImportProgress) {
	switch {
	case p.Total < 0:
		m.count(0, 0.4, p.Done, 20_000, fmt.Sprintf("%s, %d rows", p.Step, p.Done))
	case p.Step == "classifying":
		m.set(0.4+0.3*float64(p.Done)/float64(max(p.Total, 1)), p.Step)
	default:
		m.set(0.7+0.3*float64(p.Done)/float64(max(p.Total, 1)), p.Step)
	}
}

// shares divides the whole among files by their sizes: file i is the part from
// shares[i] to shares[i+1]. A file that cannot be looked at counts as empty, and
// its import says why.
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
