package grammar

import "slices"

// mostSkipped bounds what stands between two parts of a form: one token less.
const mostSkipped = 3

// furthest bounds how many tokens after its beginning a form is looked up in the
// memory of a matcher. Longer matches are rare and right without it.
const furthest = 64

// matcher finds how far a form reaches. It comes to each node at each token once:
// where a node leads to does not depend on the way there, and the first way is
// the one that counts. So a form costs its size times the tokens that it spans.
type matcher struct {
	p        *parser
	at       int // where the form begins
	captured captures
	visited  []uint32 // by node and token: the number of the last match that was there
	match    uint32

	end    int
	values captures
}

func newMatcher(p *parser) *matcher {
	return &matcher{p: p, visited: make([]uint32, p.language.largest*furthest)}
}

// longest matches a form at a position and returns where it ends at the furthest,
// -1 where it does not fit.
func (m *matcher) longest(f *form, at int) (end int, values captures) {
	m.match++
	m.at, m.end, m.values, m.captured = at, -1, nil, m.captured[:0]
	m.from(f.begin, at)
	return m.end, m.values
}

func (m *matcher) from(n *node, at int) {
	if near := at - m.at; near < furthest {
		place := &m.visited[n.id*furthest+near]
		if *place == m.match {
			return
		}
		*place = m.match
	}
	m.p.work++
	switch {
	case n.ways != nil:
		for _, way := range n.ways {
			m.from(way, at)
		}
	case n.next == nil:
		if at > m.end {
			m.end, m.values = at, slices.Clone(m.captured)
		}
	default:
		m.over(n, at)
	}
}

// over goes on after a word or a value, with articles before it.
func (m *matcher) over(n *node, at int) {
	p := m.p
	for range mostSkipped {
		if at >= len(p.tokens) {
			return
		}
		if n.word != "" {
			if t := &p.tokens[at]; t.lower == n.word && t.kind != quoted {
				m.from(n.next, at+1)
				return
			}
		} else if v, end, ok := p.slot(n.slot.kind, at); ok {
			m.captured = append(m.captured, capture{n.slot.name, v})
			m.from(n.next, end)
			m.captured = m.captured[:len(m.captured)-1]
			return
		}
		if !p.skip[at] {
			return
		}
		at++
	}
}
