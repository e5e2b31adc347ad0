package script

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/script/dialect"
	"ballast/script/internal/signature"
)

// Kind is a family of scripts, such as models. A script's entry point
// determines its kind.
type Kind struct {
	Name       string                          // lower-case letters, as in URLs and ids: "model"
	EntryPoint string                          // the function that the service calls with the context: "decide"
	Purpose    string                          // what the entry point does, for messages: "takes the decisions"
	Context    []string                        // the attributes of its context
	Methods    map[string]*signature.Signature // of its context
	Inputs     []Property                      // added by the service to every script of the kind
	Trades     bool                            // decides on sessions, so SCHEDULE, FILL and START apply
	Words      []Word                          // constants of the kind
	// Refuse returns what is wrong with bound inputs that fit the schema one by one; nil
	// refuses nothing.
	Refuse func(Inputs) []fault.Detail
	// Series converts a column of a series before scripts of the kind read it; nil leaves
	// it as it is.
	Series     func(*series.Values) (*series.Values, error)
	NoUniverse bool     // its members are those of its caller, so UNIVERSE and SYMBOL do not apply
	Adjustable bool     // a script may declare one of Inputs to change its default or narrow its bounds
	Sweeps     []string // functions of the harness that need runs of models with other inputs
	Unexported []string // functions of the harness that downloads do not have
	Holdings   []string // functions of the harness and attributes of the context that read what member models hold
}

// WithArticle returns the name of a kind with its article: "a model", "an analysis".
func WithArticle(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// Word is an optional constant that accepts a few words. The first is the default.
type Word struct {
	Name     string
	Accepted []string
}

// Model is the kind of scripts that decide what to hold.
var Model = &Kind{Name: "model", EntryPoint: "decide", Purpose: "takes the decisions", Context: contextList, Methods: contextMethods, Inputs: serviceInputs(), Trades: true}

// Kinds are the kinds that a check accepts. A script without an entry point is
// checked as the first of them.
type Kinds []*Kind

// Check reads a script against the contract of models.
func Check(text string, resolver Resolver) (*Script, []dialect.Problem) {
	return Kinds{Model}.Check(text, resolver)
}

// byEntryPoint returns the kind with an entry point, or nil.
func (k Kinds) byEntryPoint(name string) *Kind {
	i := slices.IndexFunc(k, func(kind *Kind) bool { return kind.EntryPoint == name })
	if i < 0 {
		return nil
	}
	return k[i]
}

// classify finds the script's entry point and thereby its kind.
func (c *checker) classify() {
	c.kind = c.kinds[0]
	for _, stmt := range c.file.Stmts {
		def, ok := stmt.(*syntax.DefStmt)
		if !ok {
			continue
		}
		kind := c.kinds.byEntryPoint(def.Name.Name)
		switch {
		case kind == nil:
		case c.entry == nil:
			c.kind, c.entry = kind, def
		case kind != c.kind:
			x := c.found.Add(dialect.RuleEntryPoint, dialect.PlaceOf(def.Name.NamePos), "the script has both %s, the entry point of %s, and %s, the entry point of %s: keep one of them",
				c.kind.EntryPoint, WithArticle(c.kind.Name), kind.EntryPoint, WithArticle(kind.Name))
			x.Text = kind.EntryPoint
		}
	}
	for _, kind := range c.kinds {
		if c.entry == nil && c.hidden[kind.EntryPoint] {
			c.kind = kind
		}
	}
}

// entryPoint checks that the script has its entry point, with one parameter.
func (c *checker) entryPoint() {
	if c.hidden[c.kind.EntryPoint] {
		return
	}
	accepted := make([]string, len(c.kinds))
	for i, kind := range c.kinds {
		accepted[i] = fmt.Sprintf("def %s(ctx):", kind.EntryPoint)
	}
	if c.entry == nil {
		c.noEntryPoint(accepted)
		return
	}
	params := c.entry.Params
	if len(params) == 1 {
		if _, plain := params[0].(*syntax.Ident); plain {
			return
		}
	}
	x := c.found.Add(dialect.RuleEntryPoint, dialect.PlaceOf(c.entry.Name.NamePos), "%s takes one parameter, the context", c.kind.EntryPoint)
	x.Text, x.Accepted = c.kind.EntryPoint, []string{fmt.Sprintf("def %s(ctx):", c.kind.EntryPoint)}
}

// noEntryPoint reports the missing entry point, at the name that nearly matches
// one if there is such a name.
func (c *checker) noEntryPoint(accepted []string) {
	at := dialect.Start
	var names []string
	for _, id := range c.names {
		names = append(names, id.Name)
	}
	near, meant := "", c.kinds[0]
	for _, kind := range c.kinds {
		if near = nearest.Match(kind.EntryPoint, names); near != "" {
			meant = kind
			break
		}
	}
	for _, id := range c.names {
		if id.Name == near || id.Name == meant.EntryPoint {
			at = dialect.PlaceOf(id.NamePos)
		}
	}
	x := c.found.Add(dialect.RuleEntryPoint, at, "the script has no function %s(ctx), which %s", meant.EntryPoint, meant.Purpose)
	x.Accepted = accepted
	if near != "" {
		x.Text, x.Suggestion = near, meant.EntryPoint
	}
}

// UnexportedFunction returns the function of the harness that the script may call and that
// downloads do not have, or "".
func (p *Script) UnexportedFunction() string { return p.firstOf(p.Kind.Unexported) }
