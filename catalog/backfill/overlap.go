package backfill

import "ballast/timeseries"

// Overlap holds the returns of two series between consecutive days on which both have
// a bar.
type Overlap struct {
	Own, Proxy []float64
	Start, End timeseries.Date // first and last of these returns; NoDate without any
}

// Sessions returns the number of common returns.
func (o *Overlap) Sessions() int { return len(o.Own) }

// Common returns the overlap of two series. Returns of bars that only one series has,
// such as a coin's at weekends, are compounded into the next common return.
func Common(own, proxy timeseries.Series) *Overlap {
	o := &Overlap{Start: timeseries.NoDate, End: timeseries.NoDate}
	if own.Empty() || proxy.Empty() {
		return o
	}
	a, b := walk{s: own}, walk{s: proxy}
	met := false
	for a.at() != timeseries.NoDate && b.at() != timeseries.NoDate {
		switch x, y := a.at(), b.at(); {
		case x < y:
			a.next()
		case y < x:
			b.next()
		default:
			if met {
				o.Own, o.Proxy = append(o.Own, a.move), append(o.Proxy, b.move)
				if o.End = x; o.Start == timeseries.NoDate {
					o.Start = x
				}
			}
			met = true
			a.move, b.move = 0, 0
			a.fresh, b.fresh = true, true
			a.next()
			b.next()
		}
	}
	return o
}

// walk goes through the bars of a series and compounds their returns since the last
// common day.
type walk struct {
	s     timeseries.Series
	i     int // 0 is the base
	move  float64
	fresh bool
}

func (w *walk) at() timeseries.Date {
	switch {
	case w.i == 0:
		return w.s.Base
	case w.i <= len(w.s.Dates):
		return w.s.Dates[w.i-1]
	}
	return timeseries.NoDate
}

func (w *walk) next() {
	if w.i++; w.i > len(w.s.Dates) {
		return
	}
	r := w.s.Returns[w.i-1]
	if w.fresh { // usually there is one bar per session, and its return is used as it is
		w.move, w.fresh = r, false
		return
	}
	w.move = float64((1+w.move)*(1+r)) - 1
}
