package classify

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed tables/*.txt
var tableFiles embed.FS

// tables are the files of phrases. They never change.
type tables struct {
	words      words
	countries  *table
	issuers    *table
	tags       *table
	categories *table
	classes    *table
	structures *table
	wrappers   *table
	coins      *table
	sectors    *table
	leverage   *table
	summaries  *table
}

// known returns the tables. They are read when they are first needed, because most
// commands classify nothing.
var known = sync.OnceValue(func() *tables {
	t := &tables{words: words{}}
	for name, to := range map[string]**table{
		"countries": &t.countries, "issuers": &t.issuers, "tags": &t.tags, "categories": &t.categories, "classes": &t.classes, "structures": &t.structures,
		"wrappers": &t.wrappers, "coins": &t.coins, "sectors": &t.sectors, "leverage": &t.leverage, "summaries": &t.summaries,
	} {
		*to = t.words.read(name)
	}
	return t
})

// words numbers every word of every table, so that each text is looked up once.
type words map[string]uint32

func (w words) add(s string) uint32 {
	if _, ok := w[s]; !ok {
		w[s] = uint32(len(w) + 1) //nolint:gosec // thousands of words
	}
	return w[s]
}

// table finds phrases in texts by whole words: a tree whose edges are words. If several
// phrases begin at the same word, the longest wins, and its words cannot begin another
// phrase: "ex japan" hides "japan".
type table struct {
	next   map[uint64]uint32 // node and word to node
	values [][]string        // by node; nil if no phrase ends there
	first  map[uint32]bool   // words that begin a phrase
}

// hit is a phrase found in a text.
type hit struct {
	values []string
	lo, hi int // words of the text
}

// read reads a file of lines "phrase | phrase => value value". A phrase with the
// value "-" gives nothing, but hides shorter phrases within it. The file is part of the
// program, so a malformed line panics.
func (w words) read(name string) *table {
	raw, err := tableFiles.ReadFile("tables/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	t := &table{next: map[uint64]uint32{}, values: make([][]string, 1), first: map[uint32]bool{}}
	n := 0
	for line := range strings.Lines(string(raw)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		phrases, values, ok := strings.Cut(line, "=>")
		if !ok {
			panic(fmt.Sprintf("tables/%s.txt, line %d: no =>", name, n))
		}
		for phrase := range strings.SplitSeq(phrases, "|") {
			t.add(w, fmt.Sprintf("tables/%s.txt, line %d", name, n), phrase, splitValues(name, values))
		}
	}
	return t
}

// splitValues splits values at spaces, except issuers, whose names contain spaces.
func splitValues(table, values string) []string {
	values = strings.TrimSpace(values)
	switch {
	case values == "-":
		return []string{}
	case table == "issuers":
		return []string{values}
	}
	return strings.Fields(values)
}

func (t *table) add(w words, where, phrase string, values []string) {
	read := w.split("", phrase)
	node := uint32(0)
	for i := range read.words {
		id := w.add(read.at(i))
		if i == 0 {
			t.first[id] = true
		}
		key := uint64(node)<<32 | uint64(id)
		child, ok := t.next[key]
		if !ok {
			child = uint32(len(t.values)) //nolint:gosec // thousands of nodes
			t.next[key] = child
			t.values = append(t.values, nil)
		}
		node = child
	}
	if node == 0 || (t.values[node] != nil && !slices.Equal(t.values[node], values)) {
		panic(where + ": phrase is empty, or there twice with other values: " + phrase)
	}
	t.values[node] = values
}

// scan calls found for each phrase of the text, from left to right.
func (t *table) scan(in *text, found func(hit)) {
	for i := 0; i < len(in.words); {
		h := t.match(in, i)
		if h.hi == 0 {
			i++
			continue
		}
		if len(h.values) > 0 {
			found(h)
		}
		i = h.hi
	}
}

// match returns the longest phrase that begins at word i; hi is 0 if there is none.
func (t *table) match(in *text, i int) hit {
	var best hit
	if !t.first[in.words[i].id] {
		return best
	}
	node := uint32(0)
	for j := i; j < len(in.words); j++ {
		child, ok := t.next[uint64(node)<<32|uint64(in.words[j].id)]
		if !ok {
			break
		}
		if node = child; t.values[node] != nil {
			best = hit{values: t.values[node], lo: i, hi: j + 1}
		}
	}
	return best
}

// whole returns the phrase that is the entire text.
func (t *table) whole(in *text) (hit, bool) {
	if len(in.words) == 0 {
		return hit{}, false
	}
	h := t.match(in, 0)
	return h, h.hi == len(in.words)
}
