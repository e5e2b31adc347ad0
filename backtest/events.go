package backtest

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"ballast/timeseries"
)

// staleLimit is the number of consecutive sessions that a member may be without a
// bar. On the next one it is suspended.
const staleLimit = 10

type eventKind uint8

const (
	eventListed    eventKind = iota // first bar
	eventResumed                    // first bar after a suspension
	eventSuspended                  // session staleLimit+1 in a row without a bar
	eventDelisted                   // the session after the last bar of a delisted member
)

// event is a change of a member's status on a session.
type event struct {
	t      int
	member int
	kind   eventKind
}

// gap is a run of sessions [from, to) on which a listed member has no bar.
type gap struct{ member, from, to int }

// standing returns the changes of the members' status in order of time, and the
// members' gaps.
func standing(f *timeseries.Frame) ([]event, []gap) {
	events := make([]event, 0, len(f.Members))
	var gaps []gap
	sessions := len(f.Axis)
	for i := range f.Members {
		m := &f.Members[i]
		if m.First < 0 {
			continue
		}
		events = append(events, event{m.First, i, eventListed})
		end := sessions
		if m.Delisted && m.Last+1 < sessions {
			end = m.Last + 1
			events = append(events, event{end, i, eventDelisted})
		}
		for t := m.First; ; {
			from := nextBit(m.Bars, t, end, false)
			if from >= end {
				break
			}
			t = nextBit(m.Bars, from, end, true)
			gaps = append(gaps, gap{i, from, t})
			if t-from > staleLimit {
				events = append(events, event{from + staleLimit, i, eventSuspended})
				if t < end {
					events = append(events, event{t, i, eventResumed})
				}
			}
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		return cmp.Or(a.t-b.t, a.member-b.member, int(a.kind)-int(b.kind))
	})
	return events, gaps
}

// nextBit returns the first position in [from, end) whose bit is set, or clear if set
// is false. It returns end if there is none.
func nextBit(bitmap []byte, from, end int, set bool) int {
	var flip uint64
	if !set {
		flip = ^uint64(0)
	}
	for t := from; t < end; {
		word := t &^ 63
		if word == t { // most words of a column are all ones or all zeros
			for b := bitmap[t>>3:]; t+256 <= end && len(b) >= 32; b, t = b[32:], t+256 {
				a, b, c, d := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
				if (a^flip)|(b^flip)|(c^flip)|(d^flip) != 0 {
					break
				}
			}
			if word = t; t >= end {
				break
			}
		}
		var w uint64
		if b := bitmap[word>>3:]; len(b) >= 8 {
			w = binary.LittleEndian.Uint64(b)
		} else {
			for k, x := range b {
				w |= uint64(x) << (8 * k)
			}
		}
		if w = (w ^ flip) >> (t & 63); w != 0 {
			return min(t+bits.TrailingZeros64(w), end)
		}
		t = word + 64
	}
	return end
}
