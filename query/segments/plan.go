package segments

import (
	"cmp"
	"slices"
)

const (
	// mostRuns limits a segment, and so the work of one step.
	mostRuns = 1000
	// leastLoose is the least number of runs that are gathered. Fewer are quick to read
	// from their own files, and wait for others.
	leastLoose = 16
)

// change is one step of the work: runs to write as a new segment, and the segments that
// it replaces.
type change struct {
	runs []Run    // nil: nothing to write
	drop []string // ids
}

// plan returns the next step, or false if there is nothing to do. Each step deserves its
// own commit. damaged holds the ids of segments whose files are missing or changed.
//
// A new segment takes in all smaller ones, so sizes grow like the digits of a number: n
// runs have about log₂ n segments, and a run is rewritten about as often until its
// segment is full.
func plan(wanted []Run, current []Segment, damaged map[string]bool) (change, bool) {
	byID := make(map[string]Run, len(wanted))
	for _, r := range wanted {
		byID[r.ID] = r
	}
	var c change
	var kept []live
	for _, s := range current {
		l := live{Segment: s}
		for _, id := range s.RunIDs {
			if r, ok := byID[id]; ok {
				l.runs = append(l.runs, r)
				delete(byID, id)
			}
		}
		switch {
		case len(l.runs) == 0:
			c.drop = append(c.drop, s.ID)
		case s.Purged || damaged[s.ID] || 2*len(l.runs) < len(s.RunIDs):
			if len(c.runs)+len(l.runs) <= mostRuns { // otherwise in a later step
				c.runs, c.drop = append(c.runs, l.runs...), append(c.drop, s.ID)
			}
		default:
			kept = append(kept, l)
		}
	}
	for _, r := range wanted {
		if _, loose := byID[r.ID]; loose && len(c.runs) < mostRuns {
			c.runs = append(c.runs, r)
		}
	}
	if len(c.runs) < leastLoose {
		c.runs = nil // they are read from their own files
		return c, len(c.drop) > 0
	}
	slices.SortStableFunc(kept, func(a, b live) int { return cmp.Compare(len(a.runs), len(b.runs)) })
	for _, l := range kept {
		if len(l.runs) > len(c.runs) || len(c.runs)+len(l.runs) > mostRuns {
			break
		}
		c.runs, c.drop = append(c.runs, l.runs...), append(c.drop, l.ID)
	}
	return c, true
}

// live is a segment with those of its runs that are wanted.
type live struct {
	Segment
	runs []Run
}
