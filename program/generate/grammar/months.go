package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// months are the names of the months, by their first three letters.
var months = func() map[string]int {
	all := map[string]int{}
	for i, name := range allMonths {
		all[strings.ToLower(name)], all[strings.ToLower(name[:3])] = i+1, i+1
	}
	all["sept"] = 9
	return all
}()

// monthList reads months: February; Jan and July; Mar, Jun, Sep, Dec.
func (p *parser) monthList(at int) (any, int) {
	var list []int
	end := 0
	for len(list) < 12 {
		m := months[p.at(at).lower]
		if m == 0 || p.at(at).kind != word {
			break
		}
		list, end = append(list, m), at+1
		for at = end; p.at(at).is(",") || p.at(at).is("/") || p.at(at).is("and") || p.at(at).is("&") || p.at(at).is("."); {
			at++
		}
	}
	if end == 0 {
		return nil, 0
	}
	if p.at(end).kind == number {
		return nil, 0 // a date
	}
	slices.Sort(list)
	return slices.Compact(list), end
}

// period reads a frequency, as the number of months between.
func (p *parser) period(at int) (any, int) {
	for _, x := range []struct {
		words  string
		months int
	}{
		{"every quarter", 3}, {"every year", 12}, {"once a year", 12}, {"twice a year", 6}, {"each year", 12}, {"semi - annually", 6},
		{"quarterly", 3}, {"yearly", 12}, {"annually", 12}, {"annual", 12}, {"semiannually", 6},
	} {
		if end := p.spells(at, x.words); end > 0 {
			return x.months, end
		}
	}
	return nil, 0
}

// monthEnd reads the beginning (1) or the end (-1) of what follows.
func (p *parser) monthEnd(at int) (any, int) {
	switch t := p.at(at); {
	case t.is("start"), t.is("beginning"):
		return 1, at + 1
	case t.is("end"):
		return -1, at + 1
	}
	return nil, 0
}

// inMonths restricts decisions to certain months. A single month of a period, as in
// quarterly in February, stands for all months at that distance.
func (p *parser) inMonths(m match) {
	list := get[[]int](m.captures, "months")
	if p.calendarDay(m, get[int](m.captures, "n")) {
		return
	}
	session := -1
	for _, name := range []string{"n", "end"} {
		if v := get[int](m.captures, name); v != 0 {
			session = v
		}
	}
	if apart := get[int](m.captures, "per"); apart > 0 {
		first := (list[0]-1)%apart + 1
		var all []int
		for month := first; month <= 12; month += apart {
			all = append(all, month)
		}
		if len(list) > 1 && !slices.Equal(list, all) {
			p.refuse(m.from, m.to, "", fmt.Sprintf("these months are not %d months apart", apart))
			return
		}
		if apart < 12 {
			list = all
		}
	}
	once(p, &p.draft.schedule, Schedule{Every: "monthly", Session: session, Months: list}, m, "a schedule")
}
