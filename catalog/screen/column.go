package screen

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// postings holds the rows of each code, side by side.
type postings struct {
	start []uint32 // by code: where its rows begin; plus the end of the last
	rows  []uint32 // by code, then ascending
	dense []set    // by code: its rows as a set if there are many, else nil
	cost  int      // of counting every code, in steps of a scan over rows
}

// column is a field with few values. The codes follow the order of the keys, so that
// equal keys and common prefixes are ranges of codes.
type column struct {
	labels
	postings
	keys []string // by code, ascending: the value without case and accents
}

// labels is a field that is shown but not searched.
type labels struct {
	codes
	values []string // by code; "" is what nothing states
}

func (l *labels) at(row uint32) string { return l.values[l.code(row)] }

// columnBuilder numbers values in the order of arrival.
type columnBuilder struct {
	seen   map[string]uint32
	values []string
	codes  []uint32
}

func (b *columnBuilder) add(value string) {
	code, ok := b.seen[value]
	if !ok {
		if b.seen == nil {
			b.seen = map[string]uint32{}
		}
		code = uint32(len(b.values))
		value = strings.Clone(value)
		b.seen[value] = code
		b.values = append(b.values, value)
	}
	b.codes = append(b.codes, code)
}

// labels keeps the values in the order of arrival.
func (b *columnBuilder) labels() labels { return labels{values: b.values, codes: consecutive(b.codes)} }

// build sorts the values by key, and equal keys by value.
func (b *columnBuilder) build(key func(string) string) *column {
	return b.order(key, strings.Compare)
}

// order is build with its own comparison of keys.
func (b *columnBuilder) order(key func(string) string, compare func(a, b string) int) *column {
	n := len(b.values)
	keys, places := make([]string, n), make([]uint32, n)
	for i, v := range b.values {
		keys[i], places[i] = key(v), uint32(i)
	}
	slices.SortFunc(places, func(x, y uint32) int {
		return cmp.Or(compare(keys[x], keys[y]), strings.Compare(b.values[x], b.values[y]))
	})
	c := &column{labels: labels{values: make([]string, n), codes: consecutive(b.codes)}, keys: make([]string, n)}
	code := make([]uint32, n)
	for to, from := range places {
		c.values[to], c.keys[to], code[from] = b.values[from], keys[from], uint32(to)
	}
	for row, old := range b.codes {
		b.codes[row] = code[old]
	}
	start, rows := spread(n, b.codes)
	c.postings = newPostings(start, rows, len(b.codes))
	return c
}

// newPostings returns postings of rows that are already sorted by code. all is the total
// number of rows.
func newPostings(start, rows []uint32, all int) postings {
	p := postings{start: start, rows: rows, dense: make([]set, len(start)-1)}
	n := words(all)
	for code := range p.dense {
		rows := p.of(code)
		if len(rows) <= n {
			p.cost += len(rows) + 1
			continue
		}
		p.dense[code] = make(set, n)
		p.dense[code].add(rows)
		p.cost += n
	}
	return p
}

// spread sorts the rows by code. The codes are below n. It returns where each code's rows
// begin, and the rows.
func spread(n int, codes []uint32) (start, rows []uint32) {
	start, rows = make([]uint32, n+1), make([]uint32, len(codes))
	for _, code := range codes {
		start[code+1]++
	}
	accumulate(start)
	next := slices.Clone(start)
	for row, code := range codes {
		rows[next[code]] = uint32(row)
		next[code]++
	}
	return start, rows
}

// spreadUses is spread for uses, in the order in which they were added.
func spreadUses(n int, uses []use, code func(use) uint32) (start, rows []uint32) {
	start, rows = make([]uint32, n+1), make([]uint32, len(uses))
	for _, u := range uses {
		start[code(u)+1]++
	}
	accumulate(start)
	next := slices.Clone(start)
	for _, u := range uses {
		c := code(u)
		rows[next[c]] = u.row
		next[c]++
	}
	return start, rows
}

func accumulate(start []uint32) {
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
}

// of returns the rows of a code.
func (p *postings) of(code int) []uint32 { return p.rows[p.start[code]:p.start[code+1]] }

// equal returns the range of codes with the key.
func (c *column) equal(key string) (low, high int) {
	low = sort.SearchStrings(c.keys, key)
	for high = low; high < len(c.keys) && c.keys[high] == key; high++ {
	}
	return low, high
}

// prefixed returns the range of keys, in ascending order, that begin with prefix.
func prefixed(keys []string, prefix string) (low, high int) {
	low = sort.SearchStrings(keys, prefix)
	high = low + sort.Search(len(keys)-low, func(i int) bool { return !strings.HasPrefix(keys[low+i], prefix) })
	return low, high
}

// keep removes from s all rows except those of the codes in [low, high).
func (p *postings) keep(s set, low, high int, lend *scratch) {
	if high == low+1 && p.dense[low] != nil {
		s.and(p.dense[low])
		return
	}
	other := lend.take()
	p.into(*other, low, high)
	s.and(*other)
	lend.give(other)
}

// into adds the rows of the codes in [low, high) to s.
func (p *postings) into(s set, low, high int) {
	for code := low; code < high; code++ {
		if p.dense[code] != nil {
			s.or(p.dense[code])
		} else {
			s.add(p.of(code))
		}
	}
}

// count returns the number of rows of each code in the set.
func (p *postings) count(s set) []uint32 {
	counts := make([]uint32, len(p.dense))
	for code := range counts {
		if p.dense[code] != nil {
			counts[code] = uint32(s.countBoth(p.dense[code]))
		} else {
			counts[code] = uint32(s.countOf(p.of(code)))
		}
	}
	return counts
}

// count returns the number of rows of each value in the set. If they are few, rows lists
// them too.
func (c *column) count(s set, rows []uint32) []uint32 {
	if rows == nil || len(rows) > c.cost {
		return c.postings.count(s)
	}
	return c.codes.count(rows, len(c.values))
}
