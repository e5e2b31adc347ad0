package screen

import (
	"slices"
	"strings"

	"ballast/catalog/classify"
)

// tags holds the tags of each row. Most rows share their list with many others.
type tags struct {
	postings            // by tag of the vocabulary
	lists    [][]string // by list, as shown
	known    [][]uint16 // the codes of their tags, by list
	codes    codes      // list by row
}

// vocabulary is the closed list of tags, their codes in its order.
type vocabulary struct {
	dimensions []classify.Dimension
	code       map[string]int
}

func newVocabulary() *vocabulary {
	v := &vocabulary{dimensions: classify.Vocabulary(), code: map[string]int{}}
	for _, d := range v.dimensions {
		for _, value := range d.Values {
			v.code[d.Name+":"+value] = len(v.code)
		}
	}
	return v
}

var closed = newVocabulary()

func (t *tags) at(row uint32) []string { return t.lists[t.codes.code(row)] }

// tagsBuilder collects the tags of rows.
type tagsBuilder struct {
	seen  map[string]uint32
	tags  tags
	codes []uint32 // list by row
	pairs []use    // tag and row
}

func (b *tagsBuilder) add(row uint32, list []string) {
	key := strings.Join(list, "\x00")
	code, ok := b.seen[key]
	if !ok {
		if b.seen == nil {
			b.seen = map[string]uint32{}
		}
		code = uint32(len(b.tags.lists))
		b.seen[key] = code
		var known []uint16
		for _, t := range list {
			if c, ok := closed.code[t]; ok && !slices.Contains(known, uint16(c)) {
				known = append(known, uint16(c))
			}
		}
		b.tags.lists, b.tags.known = append(b.tags.lists, slices.Clone(list)), append(b.tags.known, known)
	}
	b.codes = append(b.codes, code)
	for _, c := range b.tags.known[code] {
		b.pairs = append(b.pairs, use{uint32(c), row})
	}
}

func (b *tagsBuilder) build(all int) tags {
	start, rows := spreadUses(len(closed.code), b.pairs, func(u use) uint32 { return u.word })
	b.tags.postings = newPostings(start, rows, all)
	b.tags.codes = consecutive(b.codes)
	return b.tags
}

// count returns the number of rows with each tag in the set. If they are few, rows lists
// them too.
func (t *tags) count(s set, rows []uint32) []uint32 {
	if rows == nil || len(rows) > t.cost {
		return t.postings.count(s)
	}
	counts := make([]uint32, len(t.dense))
	if len(rows) < len(t.lists) {
		for _, r := range rows {
			for _, code := range t.known[t.codes.code(r)] {
				counts[code]++
			}
		}
		return counts
	}
	lists := t.codes.count(rows, len(t.lists))
	for list, n := range lists {
		if n == 0 {
			continue
		}
		for _, code := range t.known[list] {
			counts[code] += n
		}
	}
	return counts
}

// any adds to s the rows that have one of the tags. Tags outside the vocabulary match no
// row.
func (t *tags) any(s set, list []string) {
	for _, tag := range list {
		if code, ok := closed.code[tag]; ok {
			t.into(s, code, code+1)
		}
	}
}
