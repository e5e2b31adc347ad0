package script

import (
	"strings"

	"go.starlark.net/syntax"
)

// listText is a list as it is laid out in a script. Its text is "[", open, the
// pieces, close, "]".
type listText struct {
	open   string // the rest of the bracket's line, if the first element is on a later line
	pieces []piece
	close  string
}

// piece is an element with the text around it. The comments above and after an
// element move with it.
type piece struct {
	value   any
	lead    string // text before it, from the previous comma or the end of its line
	element string
	before  string // text between it and its comma
	comma   string // "" for a last element without a trailing comma
	rest    string // the rest of the comma's line, if the next element is on a later line
}

// newListText splits the list of a literal into its pieces.
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

// splitLine splits text before its first line ending. Without one, line is
// empty and following is the whole text.
func splitLine(text string) (line, following string) {
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i], text[i:]
	}
	return "", text
}

// commaIn returns the offset of the comma between two elements, or -1 if there
// is none. Commas in comments do not count.
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

// with formats the list with new values. Values that the list already has move
// with their comments; a new value takes the line of the one it replaces.
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
		b.WriteString(t.separator(rest, p.lead))
		for _, part := range []string{p.lead, p.element, p.before, p.comma, p.rest} {
			b.WriteString(part)
		}
		rest = p.rest
	}
	b.WriteString(t.separator(rest, t.close))
	b.WriteString(t.close)
	b.WriteByte(']')
	return b.String()
}

// origins maps each value to the index of the piece it came from, preferring
// the piece in the same position, or to -1 if the value is new. No piece is
// used twice.
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

// firstLead is the text before the first element.
func (t *listText) firstLead() string {
	if len(t.pieces) > 0 {
		return t.pieces[0].lead
	}
	return ""
}

// template is the text before an added element: its indentation, without
// comments.
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

// separator returns a line ending if one is needed between rest, such as a comment
// at the end of a line, and following. It returns "" if rest is empty or
// following starts with a line ending.
func (t *listText) separator(rest, following string) string {
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
