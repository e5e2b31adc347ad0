package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ballast/program"
	"ballast/timeseries"
)

// limitOf says what keeps the default view of a model from beginning earlier; "" if no
// member and no date of the model does.
func limitOf(m *program.Sheet) string {
	live := m.Live
	if live == nil || live.First == timeseries.NoDate {
		return ""
	}
	if m.StartDate > live.First {
		return fmt.Sprintf("The history begins on %s because the model sets that date.", m.StartDate)
	}
	keys := program.ConstrainedBy(m.StartRule, live.Members)
	if len(keys) == 0 {
		return ""
	}
	text := fmt.Sprintf("The history cannot begin before the bars of %s, on %s.", listed(keys), program.DecisiveFirst(m.StartRule, live.Members))
	if first, sessions := program.BackfillGain(m.StartRule, live.Members); sessions > 0 {
		text += fmt.Sprintf(" With a backfill it could begin on %s, %d sessions earlier.", first, sessions)
	}
	return text
}

// listed joins names as in a sentence. Of many, it names the first.
func listed(names []string) string {
	const most = 6
	if len(names) > most {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:most-1], ", "), len(names)-most+1)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// span is a stretch of days, both ends included.
type span struct{ First, Last timeseries.Date }

// backfilled returns the days between two dates on which proxies stand for members,
// joined where they overlap or touch, and says which proxies they are.
func backfilled(members []program.Member, first, last timeseries.Date) (spans []span, notes []string) {
	for _, m := range members {
		var from []string
		for _, s := range m.Backfill.Splices() {
			if start, end := max(s.Start, first), min(s.End, last); start <= end {
				spans, from = append(spans, span{start, end}), append(from, s.Symbol)
			}
		}
		if len(from) > 0 {
			notes = append(notes, fmt.Sprintf("%s has no bars of its own before %s: until then it follows %s.", m.Key, m.Backfill.First, listed(from)))
		}
	}
	slices.SortFunc(spans, func(x, y span) int { return cmp.Compare(x.First, y.First) })
	var joined []span
	for _, s := range spans {
		if n := len(joined); n > 0 && s.First <= joined[n-1].Last+1 {
			joined[n-1].Last = max(joined[n-1].Last, s.Last)
			continue
		}
		joined = append(joined, s)
	}
	return joined, notes
}
