package script

import (
	"strings"

	"go.starlark.net/syntax"
)

// listText is a list as it is laid out in a script. Its text is "[", open, the
// pieces, close, "]".
type listText struct {
	open   string // what stands behind the bracket on its line, where a line ends there
	pieces []piece
	close  string
}

// piece is an element with what belongs to it: comments above it and behind it
// stay with it, wherever it goes.
type piece struct {
	value   any
	lead    string // before it, from the end of the line or comma before
	element string
	before  string // between it and its comma
	comma   string // "" of a last one without
	rest    string // behind the comma on its line, where a line ends there
}

// newListText takes the list of a literal apart.
func newListText(source string, d *defaultLiteral, list *syntax.ListExpr) *listText {
	t := &listText{}
	inner, to := d.from+1, d.to-1
	if len(d.elements) == 0 {
		t.open, t.close = splitLine(source[inner:to])
		return t
	}
	var lead string
	t.open, lead = splitLine(source[inner:d.elements[0].from])
	for i, e := range d.elements {
		next := to
		if i+1 < len(d.elements) {
			next = d.elements[i+1].from
		}
		p := piece{lead: lead, element: source[e.from:e.to]}
		if l, bad := fold(list.List[i]); bad == nil {
			if p.value = l.value; p.value != nil {
				if n, ok := number(p.value); ok {
					p.value = n
				}
			}
		}
		after := source[e.to:next]
		if comma := commaIn(after); comma >= 0 {
			p.before, p.comma, after = after[:comma], ",", after[comma+1:]
		}
		p.rest, lead = splitLine(after)
		t.pieces = append(t.pieces, p)
	}
	t.close = lead
	return t
}

// splitLine parts text before its first line end; what has none is all behind it.
func splitLine(text string) (line, following string) {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i], text[i:]
	}
	return "", text
}

// commaIn is where the comma between two elements stands, -1 without one;
// commas of comments are none.
func commaIn(gap string) int {
	comment := false
	for i := range len(gap) {
		switch c := gap[i]; {
		case c == '\n' || c == '\r':
			comment = false
		case c == '#':
			comment = true
		case c == ',' && !comment:
			return i
		}
	}
	return -1
}

// with is the list with other elements. Those that it has already move with
// their comments; a new one takes the line of the one that it replaces.
func (t *listText) with(values []any, s style) string {
	from := t.origins(values)
	kept := make([]bool, len(t.pieces))
	for _, k := range from {
		if k >= 0 {
			kept[k] = true
		}
	}
	trailing := len(t.pieces) > 0 && t.pieces[len(t.pieces)-1].comma != ""
	var b strings.Builder
	b.WriteByte('[')
	b.WriteString(t.open)
	rest := t.open
	for i, k := range from {
		p := piece{lead: t.template(), element: ""}
		if k >= 0 {
			p = t.pieces[k]
		} else {
			p.element = s.literal(values[i])
		}
		switch {
		case i == 0:
			p.lead = t.firstLead()
		case k == 0:
			p.lead = t.template()
		case k < 0 && i < len(t.pieces) && !kept[i]:
			p.lead = t.pieces[i].lead
		}
		p.comma = ","
		if i == len(from)-1 && !trailing {
			p.comma = ""
		}
		b.WriteString(t.apart(rest, p.lead))
		for _, part := range []string{p.lead, p.element, p.before, p.comma, p.rest} {
			b.WriteString(part)
		}
		rest = p.rest
	}
	b.WriteString(t.apart(rest, t.close))
	b.WriteString(t.close)
	b.WriteByte(']')
	return b.String()
}

// origins finds each value among the pieces, first in its own place: the index
// of the piece, -1 of a new value. No piece is taken twice.
func (t *listText) origins(values []any) []int {
	from := make([]int, len(values))
	free := map[any][]int{}
	for k, p := range t.pieces {
		if k >= len(values) || values[k] != p.value {
			free[p.value] = append(free[p.value], k)
		}
	}
	for i, v := range values {
		if i < len(t.pieces) && t.pieces[i].value == v {
			from[i] = i
		} else if k := free[v]; len(k) > 0 {
			from[i], free[v] = k[0], k[1:]
		} else {
			from[i] = -1
		}
	}
	return from
}

// firstLead is what stands before the first element.
func (t *listText) firstLead() string {
	if len(t.pieces) > 0 {
		return t.pieces[0].lead
	}
	return ""
}

// template is what stands before an element that is added, without comments.
func (t *listText) template() string {
	if len(t.pieces) == 0 {
		return " "
	}
	lead := t.pieces[len(t.pieces)-1].lead
	if i := strings.LastIndexAny(lead, "\r\n"); i >= 0 {
		if i > 0 && lead[i-1:i+1] == "\r\n" {
			i--
		}
		return lead[i:]
	}
	if len(t.pieces) == 1 {
		return " "
	}
	return lead
}

// apart is the line end that has to come between what stood at the end of a line,
// such as a comment, and what does not begin with one.
func (t *listText) apart(rest, following string) string {
	if rest == "" || lineEnd(following) > 0 {
		return ""
	}
	texts := []string{t.close}
	for _, p := range t.pieces {
		texts = append(texts, p.lead)
	}
	for _, text := range texts {
		if n := lineEnd(text); n > 0 {
			return text[:n]
		}
	}
	return "\n"
}
