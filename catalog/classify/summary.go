package classify

import "strings"

// said holds what a summary states, by kind, with the first phrase for it.
type said map[string]hit

// readSummary finds what the summary states about wrapper, class, hedging and tax.
func (c *reading) readSummary() {
	if len(c.summary.words) == 0 {
		return
	}
	c.said = said{}
	known().summaries.scan(&c.summary, func(h hit) {
		for _, v := range h.values {
			if _, ok := c.said[v]; !ok {
				c.said[v] = h
			}
		}
	})
}

// first returns the value of the kind that the summary states first.
func (c *reading) first(kind string) (value string, at hit) {
	at.lo = -1
	for v, h := range c.said {
		if k, rest, _ := strings.Cut(v, ":"); k == kind && (at.lo < 0 || h.lo < at.lo) {
			value, at = rest, h
		}
	}
	return value, at
}

// each returns how many different values of the kind the summary states.
func (c *reading) each(kind string) int {
	n := 0
	for v := range c.said {
		if k, _, _ := strings.Cut(v, ":"); k == kind {
			n++
		}
	}
	return n
}
