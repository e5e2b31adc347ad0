package script

import (
	"math"

	"ballast/backtest"
)

// views are what a run was shown of its members, call by call. A repetition on
// the past alone is held to them as it goes: what a script decides of a price is
// often the same for another price, and would hide that it saw the wrong one.
type views struct {
	keep  bool   // to be held to later
	shown []view // of the run, in order
	held  *views // of the run that this one repeats, nil of the run itself
	next  int    // the call of held that comes next
	wrong *backtest.ViewError
}

// view is one answer to a script.
type view struct {
	digest uint64  // of the session, the member, and what was shown
	value  float64 // the last that was shown
}

// maxViews bounds what is kept: 4 MiB.
const maxViews = 1 << 18

// vector notes a view of values that end at a session; it reports false where the
// run that is repeated was shown something else.
func (v *views) vector(t, member int, key string, values []float64) bool {
	first, last := 0.0, 0.0
	if n := len(values); n > 0 {
		first, last = values[0], values[n-1]
	}
	return v.add(t, member, key, last, uint64(len(values)), math.Float64bits(first), math.Float64bits(last))
}

// add notes a view by the numbers that tell it from others.
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

// mix folds a number into a digest (FNV-1a, by words, and a shift that lets the
// upper bits of a float count).
func mix(digest, n uint64) uint64 {
	digest = (digest ^ n) * 1099511628211
	return digest ^ digest>>29
}

// Remember has the runner keep what it shows, for repetitions to be held to. It
// is called before the first decision.
func (r *Runner) Remember() { r.ctx.views.keep = true }

// Repeat holds the runner to what another one, which remembers, has shown: a
// decision fails with a *backtest.ViewError at the first difference.
func (r *Runner) Repeat(whole *Runner) { r.ctx.views.held = &whole.ctx.views }
