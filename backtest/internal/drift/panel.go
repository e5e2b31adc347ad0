package drift

import "fmt"

// Panel is a set of columns of daily returns, all of the same length.
type Panel struct {
	columns  [][]float64
	starts   []*float64 // their first elements, for the kernel
	sessions int
	touched  float64 // keeps the reads of touch from being optimised away
}

// NewPanel returns a view of columns, which must not be changed afterwards. It panics
// if their lengths differ.
func NewPanel(columns [][]float64) *Panel {
	p := &Panel{columns: columns, starts: make([]*float64, len(columns))}
	if len(columns) > 0 {
		p.sessions = len(columns[0])
	}
	for i, c := range columns {
		if len(c) != p.sessions {
			panic(fmt.Sprintf("drift: column %d has %d sessions, not %d", i, len(c), p.sessions))
		}
		if p.sessions > 0 {
			p.starts[i] = &c[0]
		}
	}
	return p
}

// Column returns the returns of member i.
func (p *Panel) Column(i int) []float64 { return p.columns[i] }

// Run compounds the holdings of members over the len(sum) sessions starting at
// session from. On each session hold[i] becomes hold[i]·(1+r), and the value of the
// members at the close is added to the session's element of sum. hold has one element
// per column, in any currency. members are column indices in ascending order. Run
// panics if sessions or members are out of range.
//
// Members are added in groups of four: sum + ((h₀+h₁)+(h₂+h₃)) + …, and the rest in
// groups of two and one.
//
// Run prefetches on the assumption that the next call continues after these sessions;
// this only affects speed. A panel must not be used concurrently.
func (p *Panel) Run(sum, hold []float64, members []int, from int) {
	if len(sum) == 0 || len(members) == 0 {
		return
	}
	if to := from + len(sum); from < 0 || to > p.sessions || len(hold) != len(p.columns) || members[0] < 0 || members[len(members)-1] >= len(p.columns) {
		panic(fmt.Sprintf("drift: sessions %d to %d of %d, holdings of %d of %d columns", from, to, p.sessions, len(hold), len(p.columns)))
	}
	piece := max(shortPiece, cached/len(members))
	for ; len(sum) > piece; sum, from = sum[piece:], from+piece {
		p.run(sum[:piece], hold, members, from)
	}
	p.run(sum, hold, members, from)
}

// A long segment is processed in pieces, so that prefetched data stays in the level 2
// cache until it is used. The results do not depend on the pieces.
const (
	cached     = 1 << 14 // returns in one piece, over all members
	shortPiece = 32      // minimum sessions in a piece, so that monthly segments are not split
)
