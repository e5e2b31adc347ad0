package screen

import (
	"cmp"
	"slices"

	"ballast/catalog"
)

// lexicon finds rows by prefixes of the words in their names.
type lexicon struct {
	words []string // folded, ascending
	start []uint32 // by word: where its rows begin; plus the end of the last
	rows  []uint32
}

// lexiconBuilder collects the words of names.
type lexiconBuilder struct {
	seen  map[string]uint32
	words []string
	uses  []use
}

// use is a word in the name of a row.
type use struct{ word, row uint32 }

func (b *lexiconBuilder) add(row uint32, name string) {
	for _, w := range catalog.Words(name) {
		code, ok := b.seen[w]
		if !ok {
			if b.seen == nil {
				b.seen = map[string]uint32{}
			}
			code = uint32(len(b.words))
			b.seen[w] = code
			b.words = append(b.words, w)
		}
		b.uses = append(b.uses, use{code, row})
	}
}

func (b *lexiconBuilder) build() *lexicon {
	places := make([]uint32, len(b.words))
	for i := range places {
		places[i] = uint32(i)
	}
	slices.SortFunc(places, func(x, y uint32) int { return cmp.Compare(b.words[x], b.words[y]) })
	l := &lexicon{words: make([]string, len(places))}
	code := make([]uint32, len(places))
	for to, from := range places {
		l.words[to], code[from] = b.words[from], uint32(to)
	}
	l.start, l.rows = spreadUses(len(l.words), b.uses, func(u use) uint32 { return code[u.word] })
	return l
}

// find adds to s the rows whose names have every word of the query, as a word or as a
// prefix of one.
func (l *lexicon) find(s set, query []string, p *scratch) {
	for i, w := range query {
		low, high := prefixed(l.words, w)
		rows := l.rows[l.start[low]:l.start[high]]
		if i == 0 {
			s.add(rows)
			continue
		}
		other := p.take()
		other.add(rows)
		s.and(*other)
		p.give(other)
	}
}
