package script

import (
	"math"

	"ballast/backtest"
)

// views records what a run was shown of its members, call by call. A repetition
// of the run on the past alone is compared with the record as it runs, because
// a script often makes the same decision for a different price, which would
// hide that it saw the wrong one.
type views struct {
	keep  bool   // whether to record in shown
	shown []view // recorded views, in order
	held  *views // the record to compare with, or nil if this is the original run
	next  int    // index of the next view in held.shown
	wrong *backtest.ViewError
}

// view is one value or vector that a script was shown.
type view struct {
	digest uint64  // of the session, the member and what was shown
	value  float64 // the last value shown
}

// maxViews limits the record to 4 MiB.
const maxViews = 1 << 18

// vector records a view of values that end at a session. It returns false if
// the original run was shown something else. More numbers may identify the view.
func (v *views) vector(t, member int, key string, values []float64, more ...uint64) bool {
	first, last := 0.0, 0.0
	if n := len(values); n > 0 {
		first, last = values[0], values[n-1]
	}
	return v.add(t, member, key, last, append(more, uint64(len(values)), math.Float64bits(first), math.Float64bits(last))...)
}

// add records a view, identified by the given numbers. It returns false if the
// original run was shown something else.
func (v *views) add(t, member int, key string, value float64, numbers ...uint64) bool {
	if !v.keep && v.held == nil {
		return true
	}
	w := view{digest: mix(mix(14695981039346656037, uint64(t)), uint64(member)), value: value}
	for _, n := range numbers {
		w.digest = mix(w.digest, n)
	}
	if v.keep && len(v.shown) < maxViews {
		v.shown = append(v.shown, w)
	}
	if v.held == nil || v.next >= len(v.held.shown) {
		return true
	}
	whole := v.held.shown[v.next]
	v.next++
	if whole.digest == w.digest {
		return true
	}
	if v.wrong == nil {
		v.wrong = &backtest.ViewError{Key: key, Whole: whole.value, Past: w.value}
	}
	return false
}

// mix folds a number into a digest: FNV-1a by words, with a shift so that the
// upper bits of a float count.
func mix(digest, n uint64) uint64 {
	digest = (digest ^ n) * 1099511628211
	return digest ^ digest>>29
}

// Remember makes the runner record what it shows, so that repetitions can be
// compared with it. It must be called before the first decision.
func (r *Runner) Remember() { r.ctx.views.keep = true }

// Repeat makes the runner compare what it shows with the record of another
// runner. Decide fails with a *backtest.ViewError at the first difference.
func (r *Runner) Repeat(whole *Runner) { r.ctx.views.held = &whole.ctx.views }
