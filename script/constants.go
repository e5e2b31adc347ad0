package script

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"ballast/backtest"
	"ballast/internal/nearest"
	"ballast/script/dialect"
	"ballast/timeseries"
)

const (
	nameConstant     = "NAME"
	symbolConstant   = "SYMBOL"
	scheduleConstant = "SCHEDULE"
	fillConstant     = "FILL"
	startConstant    = "START"
	inputsConstant   = "INPUTS"
	universeConstant = "UNIVERSE"
)

// tradedConstants are the constants of models.
var tradedConstants = []string{
	nameConstant, symbolConstant, scheduleConstant, fillConstant, startConstant, inputsConstant, universeConstant,
}

var symbolPattern = regexp.MustCompile(`^[A-Z][A-Z0-9.-]{0,11}$`)

const maxName = 100 // characters

// readConstants reads the contract's constants into p.
func (c *checker) readConstants(p *Script) {
	c.misspelt()
	p.Description = c.docstring
	p.Name = c.name()
	p.Symbol = c.symbol()
	if c.kind.Trades {
		if l, ok := c.constant(scheduleConstant, true); ok {
			p.Schedule = c.schedule(l)
		}
		p.Fill = backtest.Fill(c.word(fillConstant, string(backtest.FillClose), string(backtest.FillNextClose)))
		p.Start = backtest.Start(c.word(startConstant, string(backtest.StartAllMembers), string(backtest.StartTwoMembers), string(backtest.StartFirstMember)))
	} else {
		c.tradingConstants()
	}
	for _, w := range c.kind.Words {
		if p.Words == nil {
			p.Words = map[string]string{}
		}
		p.Words[w.Name] = c.word(w.Name, w.Accepted...)
	}
	p.Inputs = c.schema()
}

// tradingConstants refuses constants that only models have.
func (c *checker) tradingConstants() {
	for _, name := range []string{scheduleConstant, fillConstant, startConstant} {
		if s, ok := c.constants[name]; ok {
			x := c.found.Add(dialect.RuleConstantInvalid, dialect.PlaceOf(s.OpPos), "%s is a constant of models only: leave it out of %s", name, WithArticle(c.kind.Name))
			x.Text = name
		}
	}
}

// constant evaluates the value of a constant. It returns false if the constant
// is missing or is not a literal.
func (c *checker) constant(name string, required bool) (literal, bool) {
	s, ok := c.constants[name]
	if !ok {
		if required && !c.hidden[name] && !c.Refused[name] {
			x := c.found.Add(dialect.RuleConstantMissing, dialect.Start, "the script has no %s", name)
			x.Text, x.Accepted = name, constantForms[name]
			for _, id := range c.names {
				if c.isMisspelt(id.Name) == name {
					x.Line, x.Column, x.Text, x.Suggestion = int(id.NamePos.Line), int(id.NamePos.Col), id.Name, name
				}
			}
		}
		return literal{}, false
	}
	if s.Op != syntax.EQ {
		c.found.Add(c.ruleOf(name), dialect.PlaceOf(s.OpPos), "%s is a constant: assign it once with =", name)
		return literal{}, false
	}
	l, err := fold(s.RHS)
	if err != nil {
		x := c.found.Add(c.ruleOf(name), err.at, "%s: %v", name, err)
		x.Text, x.Suggestion = err.text, err.suggestion
		if err.name {
			x.Suggestion = c.written(err.text)
			c.hidden[err.text] = true // report the name only once
		}
		return literal{}, false
	}
	return l, true
}

// written returns the value of a name as a literal: what the script assigns to
// it, or the string that was probably meant.
func (c *checker) written(name string) string {
	if s, ok := c.constants[name]; ok {
		if l, err := fold(s.RHS); err == nil {
			switch l.value.(type) {
			case int64, float64, string, bool:
				return describe(l)
			}
		}
		return ""
	}
	if word, ok := dialect.Synonyms[name]; ok {
		name = word
	}
	return strconv.Quote(name)
}

func (c *checker) ruleOf(name string) string {
	switch name {
	case inputsConstant:
		return dialect.RuleInputs
	case universeConstant:
		return dialect.RuleUniverse
	}
	return dialect.RuleConstantInvalid
}

var constantForms = map[string][]string{
	nameConstant:     {`NAME = "Regional momentum"`},
	scheduleConstant: {`SCHEDULE = "monthly"`, `SCHEDULE = {"every": "monthly", "session": 1}`, `SCHEDULE = {"every": "weekly", "weekday": "wed"}`},
}

// contractConstants lists the constants that a script of the kind may have.
func (c *checker) contractConstants() []string {
	if c.kind.Trades {
		return tradedConstants
	}
	list := []string{nameConstant, symbolConstant, inputsConstant, universeConstant}
	for _, w := range c.kind.Words {
		list = append(list, w.Name)
	}
	return list
}

// misspelt reports names in capitals that nearly match an optional constant.
func (c *checker) misspelt() {
	for _, id := range c.names {
		near := c.isMisspelt(id.Name)
		if near == "" || near == nameConstant || near == scheduleConstant {
			continue // constant reports it as missing, at this place
		}
		x := c.found.Add(dialect.RuleConstantInvalid, dialect.PlaceOf(id.NamePos), "%s is not a constant of the contract, and %s is not set", id.Name, near)
		x.Text, x.Accepted, x.Suggestion = id.Name, c.contractConstants(), near
		c.hidden[near] = true
	}
}

// isMisspelt returns the constant that name nearly matches. It returns "" if
// name is itself a constant, or if the script sets that constant elsewhere.
func (c *checker) isMisspelt(name string) string {
	contract := c.contractConstants()
	if slices.Contains(contract, name) || strings.ToUpper(name) != name && !slices.Contains(contract, strings.ToUpper(name)) {
		return ""
	}
	near := nearest.Match(name, contract)
	if _, set := c.constants[near]; set {
		return ""
	}
	return near
}

func (c *checker) name() string {
	l, ok := c.constant(nameConstant, true)
	if !ok {
		return ""
	}
	s, text := l.value.(string)
	s = strings.TrimSpace(s)
	if !text || !ValidName(s) {
		c.found.Add(dialect.RuleConstantInvalid, l.at, "NAME is %s: it must be a string of 1 to %d characters on one line, and not a reserved word (%s)", describe(l), maxName, strings.Join(AddressWords, ", "))
		return ""
	}
	return s
}

func (c *checker) symbol() string {
	l, ok := c.constant(symbolConstant, false)
	if !ok {
		return ""
	}
	s, text := l.value.(string)
	if !text || !ValidSymbol(s) {
		x := c.found.Add(dialect.RuleConstantInvalid, l.at, "SYMBOL is %s: it must be a capital letter followed by up to 11 capitals, digits, dots and hyphens, and neither CASH nor a reserved word (%s)", describe(l), strings.ToUpper(strings.Join(AddressWords, ", ")))
		if up := strings.ToUpper(s); ValidSymbol(up) {
			x.Suggestion = up
		}
		return ""
	}
	return s
}

// word reads an optional constant that accepts a few words; the first is the
// default.
func (c *checker) word(name string, accepted ...string) string {
	l, ok := c.constant(name, false)
	if !ok {
		return accepted[0]
	}
	s, _ := l.value.(string)
	if !slices.Contains(accepted, s) {
		x := c.found.Add(dialect.RuleConstantInvalid, l.at, "%s is %s", name, describe(l))
		x.Text, x.Accepted, x.Suggestion = s, accepted, dialect.Likely(s, accepted)
		if _, err := timeseries.ParseDate(s); err == nil && name == startConstant {
			x.Message += ": the date on which a run begins to trade is its input start_date"
		}
		return accepted[0]
	}
	return s
}

// describe formats a literal for a message. Lists and dictionaries are named by
// their kind.
func describe(l literal) string {
	switch v := l.value.(type) {
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', 1, 64) // so that it does not read as an integer
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if utf8.RuneCountInString(v) > 40 {
			v = string([]rune(v)[:40]) + "…"
		}
		return strconv.Quote(v)
	}
	return l.kind()
}
