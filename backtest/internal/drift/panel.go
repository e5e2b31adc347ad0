package drift

import "fmt"

// Panel is columns of daily returns of one length.
type Panel struct {
	columns  [][]float64
	starts   []*float64 // their first elements, for the kernel
	sessions int
	touched  float64 // see touch
}

// NewPanel views columns, which must stay as they are. It panics where their
// lengths differ.
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

// Run lets the holdings of members run through the len(sum) sessions from
// session from on: hold[i] becomes hold[i]·(1+r) on each, and each adds to its
// element of sum what the members are worth at its close. hold has an element
// for each column, in any currency; members are positions of columns and
// ascend. It panics where sessions or members are out of range.
//
// Sums go by fours: a session's is sum + ((h₀+h₁)+(h₂+h₃)) + …, then what is
// left by twos and ones.
//
// Run expects to be asked next for the sessions after these, which changes
// nothing but the time. A panel is one caller's at a time.
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

// A long segment goes in pieces, so that what is asked for ahead stays in the
// second cache until its turn. The results are those of one piece.
const (
	cached     = 1 << 14 // returns
	shortPiece = 32      // sessions; monthly segments go whole
)
