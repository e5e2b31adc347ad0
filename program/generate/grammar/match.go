package grammar

import "slices"

// mostSkipped limits what may be between two parts of a form, to one token less.
const mostSkipped = 3

// furthest limits how many tokens after its start a form is looked up in the memory
// of a matcher. Longer matches are rare, and correct without it.
const furthest = 64

// matcher finds how far a form reaches. It visits each node at each token once: where
// a node leads does not depend on the way there, and the first way counts. So the
// cost of a form is its size times the tokens that it spans.
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

// longest matches a form at a position and returns the furthest end, or -1 if the
// form does not match.
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

// over continues after a word or a value, skipping articles.
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
