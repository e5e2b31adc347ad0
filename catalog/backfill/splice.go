package backfill

import (
	"slices"

	"ballast/timeseries"
)

// Proxy is a series that replaces an asset before its first bar.
type Proxy struct {
	Series timeseries.Series
	Terms  Terms
}

// Stretch is the part of a spliced series that comes from one proxy.
type Stretch struct {
	Proxy      int             // position in the list
	Start, End timeseries.Date // first and last date of its returns
}

// Splice is a stretch with the symbol of its proxy.
type Splice struct {
	Symbol string          `json:"symbol"` // of the proxy
	Start  timeseries.Date `json:"start"`  // first date of its returns
	End    timeseries.Date `json:"end"`
	Method Method          `json:"method"`
}

// Reach is the most calendar days that a proxy may end before a join, enough for a long
// weekend. Its return from its end to the join is unknown and counts as 0.
const Reach = 7

// Join puts proxies before the first bar of own: the first proxy directly before own, and
// each further one before the previous. own's returns do not change; the return of its
// first bar comes from the proxy. Join also returns the stretches, the earliest first. It
// returns own itself if no proxy adds a day.
//
// A proxy that begins at or after the join, or ends more than Reach days before it, adds
// nothing. A day on which the terms would lose everything ends the splice: the history
// begins at its close, because an investor would have lost everything that day.
func Join(own timeseries.Series, proxies []Proxy) (timeseries.Series, []Stretch) {
	if own.Empty() {
		return own, nil
	}
	parts, stretches, days := plan(own.Base, proxies)
	if days == 0 {
		return own, nil
	}
	out := timeseries.Series{
		Base:    parts[len(parts)-1].base,
		Dates:   make([]timeseries.Date, 0, days+len(own.Dates)),
		Returns: make([]float64, 0, days+len(own.Returns)),
	}
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		s, terms := proxies[stretches[i].Proxy].Series, proxies[stretches[i].Proxy].Terms
		out.Dates = append(out.Dates, s.Dates[p.from:p.to]...)
		for _, r := range s.Returns[p.from:p.to] {
			out.Returns = append(out.Returns, terms.Of(r))
		}
		if stretches[i].End != s.Dates[p.to-1] { // the proxy has no bar on the day of the join
			out.Dates, out.Returns = append(out.Dates, stretches[i].End), append(out.Returns, 0)
		}
	}
	out.Dates, out.Returns = append(out.Dates, own.Dates...), append(out.Returns, own.Returns...)
	slices.Reverse(stretches)
	return out, stretches
}

// part is a stretch in positions of the proxy's own series.
type part struct {
	base     timeseries.Date
	from, to int
}

// plan finds the part that each proxy contributes, the latest first, and the total number
// of days.
func plan(join timeseries.Date, proxies []Proxy) (parts []part, stretches []Stretch, days int) {
	for i, proxy := range proxies {
		s := proxy.Series
		to := timeseries.Through(s.Dates, join)
		if s.Empty() || to == 0 || join-s.Dates[to-1] > Reach {
			continue
		}
		from := to
		for from > 0 && proxy.Terms.Of(s.Returns[from-1]) > -1 {
			from--
		}
		ruined := from > 0
		if from < to {
			p := part{base: s.Base, from: from, to: to}
			if ruined {
				p.base = s.Dates[from-1]
			}
			parts = append(parts, p)
			stretches = append(stretches, Stretch{Proxy: i, Start: s.Dates[from], End: join})
			if days += to - from; s.Dates[to-1] != join {
				days++
			}
			join = p.base
		}
		if ruined {
			break
		}
	}
	return parts, stretches, days
}

// Compound converts a series with bars on every day to sessions: returns of closed
// days are compounded into the next session. Its base is the first session on or after
// its first bar.
func Compound(s timeseries.Series, sessions []timeseries.Date) timeseries.Series {
	first := timeseries.From(sessions, s.Base)
	if s.Empty() || first == len(sessions) {
		return timeseries.Series{Base: timeseries.NoDate}
	}
	out := timeseries.Series{Base: sessions[first]}
	d := timeseries.Through(s.Dates, out.Base)
	for _, day := range sessions[first+1:] {
		if d == len(s.Dates) || s.Dates[d] > day {
			continue
		}
		move := s.Returns[d]
		for d++; d < len(s.Dates) && s.Dates[d] <= day; d++ {
			move = float64((1+move)*(1+s.Returns[d])) - 1
		}
		out.Dates, out.Returns = append(out.Dates, day), append(out.Returns, move)
	}
	return out
}
