package script

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"ballast/catalog/series"
	"ballast/script/dialect"
	"ballast/timeseries"
)

// seriesFormat is the format of inputs that name columns of series from outside.
const seriesFormat = "series"

// seriesMethods are the context's methods that read series. Their first parameter names
// the column.
var seriesMethods = []string{"series", "series_dates"}

// Series returns the columns of series from outside that a run with these inputs may
// read, NAME.KEY in upper case, sorted: those that the script names, and the values of
// inputs with the format series. Members of the universe are left out, because some
// contexts read those in the same way.
func (p *Script) Series(in Inputs) []string {
	references := slices.Clone(p.series)
	for i := range p.Inputs.Properties {
		property := &p.Inputs.Properties[i]
		if property.Format != seriesFormat {
			continue
		}
		switch v := in.values[property.Name].(type) {
		case string:
			references = append(references, v)
		case []any:
			for _, e := range v {
				references = append(references, e.(string)) // accept has checked it
			}
		}
	}
	universe := in.universe
	references = slices.DeleteFunc(references, func(r string) bool { return slices.Contains(universe, r) })
	for i, r := range references {
		references[i] = series.Fold(r)
	}
	slices.Sort(references)
	return slices.Compact(references)
}

// Outside places a column on an axis as scripts of the kind read it. A script that decides
// sees each value from the session on at which it is known; others see all values up to
// the last session, and a month's value if the month has begun by then, because its last
// session is not always its last day. The error says why the kind cannot read the column.
func (k *Kind) Outside(v *series.Values, axis []timeseries.Date) (timeseries.Outside, error) {
	if k.Series != nil {
		var err error
		if v, err = k.Series(v); err != nil {
			return timeseries.Outside{}, err
		}
	}
	known := v.Dates
	switch {
	case k.Trades:
		known = v.Known()
	case v.Of.Frequency == series.Monthly:
		known = make([]timeseries.Date, len(v.Dates))
		for i, d := range v.Dates {
			year, month, _ := d.YMD()
			known[i] = timeseries.NewDate(year, month, 1)
		}
	}
	return timeseries.NewOutside(series.Fold(v.Name()), axis, known, v.Dates, v.Values), nil
}

// seriesCall checks a call of a method that reads a series. Series are read before the
// script runs, so the column must be known by then.
func (c *checker) seriesCall(n *syntax.CallExpr, p *Script) {
	method, ok := n.Fn.(*syntax.DotExpr)
	if !ok || !slices.Contains(seriesMethods, method.Name.Name) || c.kind.Methods[method.Name.Name] == nil {
		return
	}
	argument := firstArgument(n, c.kind.Methods[method.Name.Name].Parameters[0].Name)
	if argument == nil {
		return // reported as a missing argument
	}
	if id, ok := argument.(*syntax.Ident); ok {
		if constant := c.constants[id.Name]; constant != nil && c.isGlobal(id) {
			argument = constant.RHS
		}
	}
	at := dialect.PlaceOfNode(argument)
	l, wrong := fold(argument)
	reference, text := l.value.(string)
	_, _, column := series.Reference(reference)
	switch {
	case !c.kind.Trades && (!column || slices.Contains(p.Universe, reference)):
		return // a member, which such a context reads in the same way
	case wrong != nil || !text:
		if !slices.ContainsFunc(p.Inputs.Properties, func(p Property) bool { return p.Format == seriesFormat }) && !p.Inputs.broken {
			x := c.found.Add(dialect.RuleSeries, at, "the column must be known before the script runs: write it as a string, or declare an input with the format %q and read its value", seriesFormat)
			x.Text, x.Accepted = method.Name.Name, []string{`ctx.` + method.Name.Name + `("FF5.SMB")`}
		}
		return
	case !column:
		x := c.found.Add(dialect.RuleSeries, at, "%s", seriesProblem(reference))
		x.Text, x.Accepted = reference, []string{"NAME.KEY"}
		return
	}
	c.series = append(c.series, seriesUse{reference, at})
}

// seriesUse is a column that the script names.
type seriesUse struct {
	reference string
	at        dialect.Place
}

// firstArgument returns the argument for a function's first parameter, or nil.
func firstArgument(n *syntax.CallExpr, parameter string) syntax.Expr {
	for i, argument := range n.Args {
		b, ok := argument.(*syntax.BinaryExpr)
		if named := ok && b.Op == syntax.EQ; named {
			if id, ok := b.X.(*syntax.Ident); ok && id.Name == parameter {
				return b.Y
			}
			continue
		}
		if i == 0 {
			return argument
		}
	}
	return nil
}

// seriesProblem says that a text does not name a column of a series.
func seriesProblem(s string) string {
	return fmt.Sprintf("%q does not name a column of a series, which is NAME.KEY, such as FF5.SMB", s)
}

// resolveSeries looks up all columns that the script and the defaults of its inputs
// name.
func (c *checker) resolveSeries(p *Script, resolver Resolver) {
	for _, use := range c.series {
		p.series = append(p.series, use.reference)
	}
	if resolver == nil || len(c.found.List) > 0 {
		return
	}
	in, details := p.Bind(nil)
	if len(details) > 0 {
		return // reported by defaultsTogether
	}
	references := p.Series(in)
	if len(references) == 0 {
		return
	}
	unresolved := resolver.ResolveSeries(references)
	for _, r := range references {
		u, bad := unresolved[r]
		if !bad {
			continue
		}
		at := dialect.Start
		if s, ok := c.constants[inputsConstant]; ok {
			at = dialect.PlaceOfNode(s.RHS)
		}
		if i := slices.IndexFunc(c.series, func(use seriesUse) bool { return strings.EqualFold(use.reference, r) }); i >= 0 {
			at = c.series[i].at
		}
		x := c.found.Add(dialect.RuleSeries, at, "%s", u.Message)
		x.Text, x.Suggestion, x.Accepted = r, u.Suggestion, u.Accepted
	}
}
