package grammar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A form is a way to say something, written as it is said:
//
//	rebalance [it] (every|each) {unit}
//
// Words stand for themselves, in any case. (a|b c) is one of several, [a] may be
// left out, {slot} and {name=slot} are values of a kind, stored under the name, and
// <macro> stands for another form. Articles, and hyphens inside words, may be between
// any two parts.
type form struct {
	text  string
	root  element
	begin *node
	nodes int
	slots []string // kinds of its values
}

// element is a part of a form as it is written.
type element interface {
	// build returns the node at which the element starts; next comes after it.
	build(f *form, next *node) *node
	firsts(into map[string]bool) (optional bool) // words, and kinds of slots after a brace
	words(into map[string]bool)
}

type (
	literal  string
	sequence []element
	choice   []element
	maybe    struct{ element }
	slot     struct{ name, kind string }
)

// node is a step of a compiled form: a word, a value, or a choice of continuations.
// Forms have no repetition, so the nodes form no cycle.
type node struct {
	id   int
	word string // "" of a value or a choice
	slot slot
	ways []*node
	next *node // nil of a choice; the end of the form has neither
}

func (f *form) node(n node) *node {
	n.id = f.nodes
	f.nodes++
	return &n
}

func (l literal) build(f *form, next *node) *node { return f.node(node{word: string(l), next: next}) }

func (s slot) build(f *form, next *node) *node {
	f.slots = append(f.slots, s.kind)
	return f.node(node{slot: s, next: next})
}

func (s sequence) build(f *form, next *node) *node {
	for _, e := range slices.Backward(s) {
		next = e.build(f, next)
	}
	return next
}

func (c choice) build(f *form, next *node) *node {
	n := node{}
	for _, e := range c {
		n.ways = append(n.ways, e.build(f, next))
	}
	return f.node(n)
}

func (m maybe) build(f *form, next *node) *node {
	return f.node(node{ways: []*node{m.element.build(f, next), next}})
}

func (l literal) firsts(into map[string]bool) bool { into[string(l)] = true; return false }
func (l literal) words(into map[string]bool)       { into[string(l)] = true }

func (s sequence) firsts(into map[string]bool) bool {
	for _, e := range s {
		if !e.firsts(into) {
			return false
		}
	}
	return true
}

func (s sequence) words(into map[string]bool) {
	for _, e := range s {
		e.words(into)
	}
}

func (c choice) firsts(into map[string]bool) (optional bool) {
	for _, e := range c {
		optional = e.firsts(into) || optional
	}
	return optional
}

func (c choice) words(into map[string]bool) { sequence(c).words(into) }

func (m maybe) firsts(into map[string]bool) bool { m.element.firsts(into); return true }

func (s slot) firsts(into map[string]bool) bool {
	if s.kind == "true" || s.kind == "none" {
		return true // they take no token
	}
	into["{"+s.kind] = true
	return false
}
func (s slot) words(map[string]bool) {}

// capture is the value of a slot.
type capture struct {
	name  string
	value any
}

// captures are the values of a matched form.
type captures []capture

func (c captures) has(name string) bool {
	return slices.ContainsFunc(c, func(x capture) bool { return x.name == name })
}

func get[T any](c captures, name string) (value T) {
	for _, x := range c {
		if v, ok := x.value.(T); ok && x.name == name {
			return v
		}
	}
	return value
}

// compile parses a form after expanding its macros. Forms are part of this package,
// so one that cannot be parsed is a programming error.
func compile(text string) *form {
	for range 4 {
		for _, macros := range []map[string]string{sharedMacros, scheduleMacros, momentumMacros, trendMacros, simulateMacros} {
			for name, body := range macros {
				text = strings.ReplaceAll(text, "<"+name+">", body)
			}
		}
	}
	r := formReader{rest: formTokens(text)}
	root := r.choice()
	if len(r.rest) > 0 || strings.Contains(text, "<") {
		panic(fmt.Sprintf("form %q: %q is left over", text, strings.Join(r.rest, " ")))
	}
	f := &form{text: text, root: root}
	f.begin = root.build(f, f.node(node{}))
	return f
}

var spread = strings.NewReplacer("(", " ( ", ")", " ) ", "[", " [ ", "]", " ] ", "|", " | ", `\(`, ` \( `, `\)`, ` \) `)

func formTokens(text string) []string { return strings.Fields(spread.Replace(text)) }

type formReader struct{ rest []string }

func (r *formReader) take() string {
	s := r.rest[0]
	r.rest = r.rest[1:]
	return s
}

func (r *formReader) choice() element {
	all := choice{r.sequence()}
	for len(r.rest) > 0 && r.rest[0] == "|" {
		r.take()
		all = append(all, r.sequence())
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

func (r *formReader) sequence() element {
	var all sequence
	for len(r.rest) > 0 && r.rest[0] != "|" && r.rest[0] != ")" && r.rest[0] != "]" {
		switch s := r.take(); {
		case s == "(":
			all = append(all, r.choice())
			r.take()
		case s == "[":
			all = append(all, maybe{r.choice()})
			r.take()
		case s[0] == '{':
			kind := strings.Trim(s, "{}")
			name := kind
			if before, after, named := strings.Cut(kind, "="); named {
				name, kind = before, after
			}
			all = append(all, slot{name, kind})
		case s[0] == '\\':
			all = append(all, literal(s[1:]))
		default:
			all = append(all, literal(s))
		}
	}
	return all
}

// phrase is something that can be said, in several forms, and what it means.
type phrase struct {
	forms []string
	says  func(p *parser, m match)
	keeps bool // what was said about the shares of members to come holds on
}

// match is a phrase found in the prompt: its values and its tokens.
type match struct {
	captures
	from, to int
}

type compiled struct {
	*form
	*phrase
}

// language is the phrases, indexed by their first words.
type language struct {
	first      map[string][]compiled // by first word, or by kind of first slot after a brace
	kinds      []string              // of first slots
	slots      map[string]int        // all kinds of values, numbered
	vocabulary map[string]bool       // every word that has a meaning somewhere
	sorted     []string              // the vocabulary
	largest    int                   // nodes of the largest form
	about
}

// about is what differs between descriptions of models and of simulations, other than
// their phrases.
type about struct {
	filler, introducing map[string]bool
	hints               map[string]string // what to do about words that are not understood
	accepted            []string          // phrases that are understood
	money               string            // what is wrong with an amount that no phrase takes
	date                string            // what is wrong with a date that no phrase takes
}

func newLanguage(a about, groups ...[]phrase) *language {
	l := &language{about: a, first: map[string][]compiled{}, slots: map[string]int{}, vocabulary: map[string]bool{}}
	for _, group := range groups {
		for i := range group {
			ph := &group[i]
			for _, text := range ph.forms {
				f := compile(text)
				f.root.words(l.vocabulary)
				l.largest = max(l.largest, f.nodes)
				for _, kind := range f.slots {
					if _, known := l.slots[kind]; !known {
						l.slots[kind] = len(l.slots)
					}
				}
				firsts := map[string]bool{}
				f.root.firsts(firsts)
				for w := range firsts {
					l.first[w] = append(l.first[w], compiled{f, ph})
				}
			}
		}
	}
	for _, list := range []map[string]bool{a.filler, a.introducing} {
		maps.Copy(l.vocabulary, list)
	}
	for w := range numberWords {
		l.vocabulary[w] = true
	}
	for w := range units {
		l.vocabulary[w] = true
	}
	for w := range l.first {
		if kind, slot := strings.CutPrefix(w, "{"); slot {
			l.kinds = append(l.kinds, kind)
		}
	}
	slices.Sort(l.kinds)
	for w := range l.vocabulary {
		if len(w) > 3 {
			l.sorted = append(l.sorted, w)
		}
	}
	slices.Sort(l.sorted)
	return l
}
