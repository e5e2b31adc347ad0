package script

import (
	"fmt"
	"strings"
	"unicode"

	"ballast/backtest"
	"ballast/internal/nearest"
	"ballast/script/dialect"
)

const maxMember = 200 // bytes of a reference to a member

func near(s string, candidates []string) string { return nearest.Match(s, candidates) }

// symbolProblem returns what is wrong with an entry of a universe, or returns "".
func symbolProblem(s string, seen map[string]bool) string {
	switch {
	case s == "" || strings.TrimSpace(s) != s || len(s) > maxMember || strings.ContainsFunc(s, unicode.IsControl):
		return fmt.Sprintf("%q is not a symbol, name or id", s)
	case strings.EqualFold(s, backtest.CashKey):
		return "CASH is what remains after the members; it cannot be a member"
	case seen[s]:
		return fmt.Sprintf("%q is listed twice", s)
	}
	return ""
}

// symbols reads a literal list of members and reports what is wrong with it.
func (c *checker) symbols(l literal) (symbols []string, problem bool) {
	list, ok := l.value.([]literal)
	if !ok || len(list) == 0 || len(list) > maxArray {
		c.found.Add(dialect.RuleUniverse, l.at, "the universe is a list of 1 to %d symbols", maxArray)
		return nil, true
	}
	seen := make(map[string]bool, len(list))
	for _, e := range list {
		s, ok := e.value.(string)
		if !ok {
			c.found.Add(dialect.RuleUniverse, e.at, "the universe contains %s: its members must be strings", e.kind())
			problem = true
			continue
		}
		if message := symbolProblem(s, seen); message != "" {
			x := c.found.Add(dialect.RuleUniverse, e.at, "%s", message)
			x.Text, problem = s, true
		}
		seen[s] = true
		symbols = append(symbols, s)
	}
	c.members = symbols
	return symbols, problem
}

// universe sets the default members: INPUTS.universe.default or UNIVERSE.
func (c *checker) universe(p *Script, resolver Resolver) {
	property, asInput := p.Inputs.Property(UniverseInput)
	s, asConstant := c.constants[universeConstant]
	switch {
	case c.kind.NoUniverse:
		c.ofCallers(property)
		return
	case asInput && asConstant:
		c.found.Add(dialect.RuleUniverse, dialect.PlaceOfNode(s.LHS), "the universe is already an input: leave out UNIVERSE")
		return
	case asInput:
		for _, v := range property.Default.([]any) {
			p.Universe = append(p.Universe, v.(string))
		}
	case asConstant:
		l, ok := c.constant(universeConstant, false)
		if !ok {
			return
		}
		symbols, problem := c.symbols(l)
		if problem {
			return
		}
		c.defaults, p.Universe = l, symbols
	case !p.Inputs.broken && !c.hidden[universeConstant]:
		x := c.found.Add(dialect.RuleUniverse, dialect.Start, "the script names no members: add universe to INPUTS")
		x.Accepted = []string{`INPUTS = {"universe": {"type": "array", "default": ["SPY", "AGG"]}}`}
		return
	}
	c.resolveMembers(p, resolver)
}

// ofCallers refuses a universe and a symbol in scripts whose members are those of their
// caller.
func (c *checker) ofCallers(universe *Property) {
	for _, name := range []string{universeConstant, symbolConstant} {
		if s, ok := c.constants[name]; ok {
			x := c.found.Add(dialect.RuleConstantInvalid, dialect.PlaceOf(s.OpPos), "%s does not apply to %s, which is called with the members of its caller: leave it out", name, WithArticle(c.kind.Name))
			x.Text = name
		}
	}
	if universe != nil {
		x := c.found.Add(dialect.RuleInputs, dialect.PlaceOfNode(c.constants[inputsConstant].LHS), "%s has no input universe, because it is called with the members of its caller: leave it out", WithArticle(c.kind.Name))
		x.Text = UniverseInput
	}
}

// resolveMembers looks up all default members at once.
func (c *checker) resolveMembers(p *Script, resolver Resolver) {
	if resolver == nil || len(p.Universe) == 0 {
		return
	}
	unresolved := resolver.Resolve(p.Symbol, p.Universe)
	list := c.defaults.value.([]literal)
	for i, s := range p.Universe {
		u, bad := unresolved[s]
		if !bad {
			continue
		}
		message := u.Message
		if message == "" {
			message = fmt.Sprintf("%q is neither an asset nor one of your models", s)
		}
		x := c.found.Add(dialect.RuleUniverse, list[i].at, "%s", message)
		x.Text, x.Suggestion, x.Accepted = s, u.Suggestion, u.Accepted
	}
}

// checkSymbol reports a SYMBOL that already means something else.
func (c *checker) checkSymbol(symbol string, resolver Resolver) {
	if resolver == nil || symbol == "" {
		return
	}
	if message := resolver.Taken(symbol); message != "" {
		x := c.found.Add(dialect.RuleSymbol, dialect.PlaceOfNode(c.constants[symbolConstant].RHS), "%s", message)
		x.Text = symbol
	}
}
