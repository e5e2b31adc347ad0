package grammar

import (
	"fmt"
	"strconv"
	"strings"
)

// input is an entry of INPUTS.
type input struct {
	name, kind, value string
	least, most       string // "" without
	title, about      string
	unit              string
	primary           bool
}

// inputs collects what runs can change, in the order of the script.
type inputs struct{ list []input }

func (in *inputs) add(x input) { in.list = append(in.list, x) }

func (in *inputs) integer(name string, value, least, most int, title, unit string) {
	in.add(input{name: name, kind: "integer", value: strconv.Itoa(value), least: strconv.Itoa(least), most: strconv.Itoa(max(most, value)), title: title, unit: unit, primary: true})
}

func (in *inputs) number(name string, value, least, most float64, title, about string, primary bool) {
	in.add(input{name: name, kind: "number", value: float(value), least: float(min(least, value)), most: float(max(most, value)), title: title, about: about, primary: primary})
}

func (in *inputs) member(name, key, title, about string) {
	in.add(input{name: name, kind: "string", value: quote(key), title: title, about: about})
}

// text writes INPUTS.
func (in *inputs) text() string {
	var b strings.Builder
	b.WriteString("INPUTS = {\n")
	for i, x := range in.list {
		fmt.Fprintf(&b, "    %s: {\"type\": %s, \"default\": %s", quote(x.name), quote(x.kind), x.value)
		if x.least != "" {
			fmt.Fprintf(&b, ", \"minimum\": %s, \"maximum\": %s", x.least, x.most)
		}
		fmt.Fprintf(&b, ",\n        \"title\": %s", quote(x.title))
		if x.about != "" {
			fmt.Fprintf(&b, ", \"description\": %s", quote(x.about))
		}
		if x.unit != "" {
			fmt.Fprintf(&b, ", \"unit\": %s", quote(x.unit))
		}
		role := "advanced"
		if x.primary {
			role = "primary"
		}
		fmt.Fprintf(&b, ", \"role\": %s, \"order\": %d},\n", quote(role), i+1)
	}
	b.WriteString("}\n")
	return b.String()
}

// float writes a number as a float of the script, without losing precision.
func float(x float64) string {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote writes a string that Python and the script's dialect read alike.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func list[T any](values []T, write func(T) string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = write(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
