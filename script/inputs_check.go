package script

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ballast/script/dialect"
)

var (
	inputTypes   = []string{typeNumber, typeInteger, typeString, typeBoolean, typeArray}
	inputKeys    = []string{"type", "default", "title", "description", "minimum", "maximum", "enum", "format", "role", "unit", "group", "order"}
	inputRoles   = []string{"primary", "advanced"}
	inputPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)
)

const (
	maxInputs = 100
	maxEnum   = 1000 // values of one input
)

// schema reads INPUTS. A script without INPUTS has only the inputs that the
// service adds.
func (c *checker) schema() Schema {
	s := Schema{Properties: slices.Clone(c.kind.Inputs)}
	if _, there := c.constants[inputsConstant]; !there {
		s.broken = c.hidden[inputsConstant]
		return s
	}
	l, ok := c.constant(inputsConstant, false)
	if !ok {
		s.broken = true
		return s
	}
	entries, ok := l.value.([]entry)
	if !ok {
		c.found.Add(dialect.RuleInputs, l.at, `INPUTS is %s: it must be a dictionary of inputs by name`, l.kind())
		s.broken = true
		return s
	}
	if len(entries) > maxInputs {
		c.found.Add(dialect.RuleInputs, l.at, "INPUTS has %d inputs; at most %d are accepted", len(entries), maxInputs)
		s.broken = true
		return s
	}
	var declared []Property
	for _, e := range entries {
		if p, ok := c.input(e); ok {
			declared = append(declared, p)
		} else {
			s.broken = true
		}
	}
	for _, p := range s.Properties {
		if !slices.ContainsFunc(declared, func(d Property) bool { return d.Name == p.Name }) {
			declared = append(declared, p)
		}
	}
	s.Properties = declared
	return s
}

// adjusted reads an input that the service adds and the script declares. What the
// script leaves out stays as it is, and its bounds may be narrower but not wider.
func (c *checker) adjusted(p *Property, e entry) {
	i := slices.IndexFunc(c.kind.Inputs, func(own Property) bool { return own.Name == p.Name })
	if i < 0 {
		return
	}
	own := c.kind.Inputs[i]
	if p.Type != own.Type {
		x := c.found.Add(dialect.RuleInputs, e.key.at, "every %s has the input %s, of the type %s: it cannot be of the type %s", c.kind.Name, p.Name, own.Type, p.Type)
		x.Text, x.Accepted = p.Type, []string{own.Type}
		return
	}
	for _, text := range []struct{ to, from *string }{{&p.Title, &own.Title}, {&p.Description, &own.Description}, {&p.Unit, &own.Unit}, {&p.Role, &own.Role}} {
		if *text.to == "" {
			*text.to = *text.from
		}
	}
	if p.Enum == nil {
		p.Enum = own.Enum
	}
	if p.Format == "" {
		p.Format = own.Format
	}
	p.Minimum, p.Maximum = narrower(p.Minimum, own.Minimum, 1), narrower(p.Maximum, own.Maximum, -1)
}

// narrower returns the bound that admits less: the greater one of two minima, with
// sign 1, or the smaller one of two maxima, with sign -1.
func narrower(declared, own *float64, sign float64) *float64 {
	if declared == nil || own != nil && sign**own > sign**declared {
		return own
	}
	return declared
}

// defaultsTogether reports defaults that the kind refuses together, such as weights
// that do not match the universe.
func (c *checker) defaultsTogether(p *Script) {
	if p.Kind.Refuse == nil {
		return
	}
	_, details := p.Bind(nil)
	for _, d := range details {
		at := dialect.Start
		if s, ok := c.constants[inputsConstant]; ok {
			at = dialect.PlaceOfNode(s.LHS)
		}
		c.found.Add(dialect.RuleInputs, at, "the defaults do not fit each other: %s %s", strings.TrimPrefix(d.Field, "inputs."), d.Message)
	}
}

// input reads one entry of INPUTS.
func (c *checker) input(e entry) (Property, bool) {
	p := Property{Name: e.key.value.(string)}
	before := len(c.found.List)
	switch {
	case !c.kind.Adjustable && slices.ContainsFunc(c.kind.Inputs, func(own Property) bool { return own.Name == p.Name }):
		x := c.found.Add(dialect.RuleInputs, e.key.at, "every %s has the input %s: leave it out of INPUTS", c.kind.Name, p.Name)
		x.Text = p.Name
		return p, false
	case !inputPattern.MatchString(p.Name):
		x := c.found.Add(dialect.RuleInputs, e.key.at, "%q cannot be the name of an input: write a letter, then letters, digits and underscores", p.Name)
		x.Text = p.Name
		return p, false
	}
	body, ok := e.value.value.([]entry)
	if !ok {
		c.found.Add(dialect.RuleInputs, e.value.at, `input %s is %s: write {"type": …, "default": …}`, p.Name, e.value.kind())
		return p, false
	}
	fields := make(map[string]literal, len(body))
	meant := make(map[string]bool) // keys that the script misspells
	for _, f := range body {
		key := f.key.value.(string)
		if !slices.Contains(inputKeys, key) {
			x := c.found.Add(dialect.RuleInputs, f.key.at, "input %s has the key %q, which is not known", p.Name, key)
			x.Text, x.Accepted, x.Suggestion = key, inputKeys, dialect.Likely(key, inputKeys)
			meant[x.Suggestion] = true
			continue
		}
		fields[key] = f.value
	}
	for _, key := range inputKeys[:2] {
		if _, there := fields[key]; !there && !meant[key] {
			x := c.found.Add(dialect.RuleInputs, e.key.at, "input %s has no %s", p.Name, key)
			x.Text = p.Name
			if key == "type" {
				x.Accepted = inputTypes
			}
		}
	}
	if t, there := fields["type"]; there {
		p.Type = c.choice(p.Name, "type", t, inputTypes)
	}
	c.texts(&p, fields)
	if p.Type != "" {
		c.bounds(&p, fields)
		c.adjusted(&p, e)
		if len(c.found.List) == before {
			c.defaultValue(&p, fields)
		}
	}
	return p, len(c.found.List) == before
}

// choice reads a key that accepts a few words.
func (c *checker) choice(input, key string, l literal, accepted []string) string {
	s, _ := l.value.(string)
	if slices.Contains(accepted, s) {
		return s
	}
	x := c.found.Add(dialect.RuleInputs, l.at, "%s of input %s is %s", key, input, describe(l))
	x.Text, x.Accepted, x.Suggestion = s, accepted, dialect.Likely(s, accepted)
	return ""
}

// texts reads the keys that only describe an input: title, description, unit,
// group, role and order.
func (c *checker) texts(p *Property, fields map[string]literal) {
	for key, to := range map[string]*string{"title": &p.Title, "description": &p.Description, "unit": &p.Unit, "group": &p.Group} {
		l, there := fields[key]
		if !there {
			continue
		}
		s, ok := l.value.(string)
		if !ok {
			c.found.Add(dialect.RuleInputs, l.at, "%s of input %s is %s: it must be a string", key, p.Name, l.kind())
		}
		*to = s
	}
	if l, there := fields["role"]; there {
		p.Role = c.choice(p.Name, "role", l, inputRoles)
	}
	if l, there := fields["order"]; there {
		n, ok := l.value.(int64)
		if !ok {
			c.found.Add(dialect.RuleInputs, l.at, "order of input %s is %s: it must be an integer", p.Name, l.kind())
		}
		p.Order = &n
	}
}

// bounds reads the keys that restrict the values, and refuses those that do not
// apply to the type.
func (c *checker) bounds(p *Property, fields map[string]literal) {
	numeric := p.Type == typeNumber || p.Type == typeInteger
	for _, b := range []struct {
		key string
		to  **float64
	}{{"minimum", &p.Minimum}, {"maximum", &p.Maximum}} {
		l, there := fields[b.key]
		if !there {
			continue
		}
		v, ok := number(l.value)
		switch {
		case !numeric:
			c.found.Add(dialect.RuleInputs, l.at, "%s of input %s: bounds apply only to the types number and integer", b.key, p.Name)
		case !ok:
			c.found.Add(dialect.RuleInputs, l.at, "%s of input %s is %s: it must be a number", b.key, p.Name, describe(l))
		default:
			*b.to = &v
		}
	}
	if p.Minimum != nil && p.Maximum != nil && *p.Minimum > *p.Maximum {
		c.found.Add(dialect.RuleInputs, fields["minimum"].at, "input %s has a minimum of %v above its maximum of %v", p.Name, *p.Minimum, *p.Maximum)
	}
	if l, there := fields["enum"]; there {
		p.Enum = c.enum(p, l)
	}
	if l, there := fields["format"]; there {
		p.Format = c.choice(p.Name, "format", l, []string{"date", seriesFormat})
		if p.Type != typeString && (p.Type != typeArray || p.Format == "date") {
			c.found.Add(dialect.RuleInputs, l.at, "format of input %s: date applies only to the type string, %s to strings and arrays of strings", p.Name, seriesFormat)
		}
	}
}

func (c *checker) enum(p *Property, l literal) []string {
	list, ok := l.value.([]literal)
	if !ok || len(list) == 0 || len(list) > maxEnum || p.Type != typeString {
		c.found.Add(dialect.RuleInputs, l.at, "enum of input %s: it must be a list of 1 to %d strings, for an input of type string", p.Name, maxEnum)
		return nil
	}
	var words []string
	seen := make(map[string]bool, len(list))
	for _, w := range list {
		s, ok := w.value.(string)
		if !ok || seen[s] {
			c.found.Add(dialect.RuleInputs, w.at, "enum of input %s has %s: each value must be a string and listed once", p.Name, describe(w))
			continue
		}
		seen[s] = true
		words = append(words, s)
	}
	return words
}

// defaultValue reads the default, which must itself be an accepted value.
func (c *checker) defaultValue(p *Property, fields map[string]literal) {
	l := fields["default"]
	if p.Name == UniverseInput {
		if p.Type != typeArray {
			x := c.found.Add(dialect.RuleInputs, fields["type"].at, "the universe is an array of symbols")
			x.Text, x.Accepted = p.Type, []string{typeArray}
			return
		}
		c.defaults = l
		symbols, problem := c.symbols(l)
		if problem {
			return
		}
		p.Default = anySlice(symbols)
		return
	}
	v, bad := p.accept(l.plain())
	if bad != nil {
		x := c.found.Add(dialect.RuleInputs, l.at, "the default of input %s %s", p.Name, bad.message)
		x.Text, x.Accepted = fmt.Sprint(l.plain()), bad.accepted
		return
	}
	p.Default = v
}
