package download

import (
	"fmt"
	"strings"

	"ballast/optimize/optimizer"
	"ballast/script"
)

// Options specify where a script comes from. The file's header and help text show it.
type Options struct {
	Model string // the id of the model or the simulation, or ""
	URL   string // the service's public URL, or "" if not known
	// Members are what the entries of the script's universe refer to. Other entries
	// are looked up by name.
	Members map[string]Member
	// Series are the series from outside that the script reads, by name. Of others, the
	// files tell the frequency.
	Series map[string]Series
	// Optimizers are the versions of the optimizers that the script names, by name.
	Optimizers map[string]Optimizer
}

// Optimizer is one version of an optimizer. Unsupported must accept its definition.
type Optimizer struct {
	Version    int
	Definition optimizer.Definition
}

// Series is what a file of a series does not say.
type Series struct {
	Monthly bool
	Lag     int    // sessions
	Kind    string // return, rate or index
}

// Member is what an entry of a universe refers to.
type Member struct {
	Kind   string // asset or model
	ID     string
	Symbol string // as used in files of bars
}

// family is what the files of a kind of scripts have of their own.
type family struct {
	main    string   // the runtime's module with the command line
	title   string   // of the id in the header
	purpose []string // lines of the header
}

// families are those of the kinds that have a runtime, by the kind's name.
var families = map[string]family{
	script.Model.Name: {main: "command", title: "Model", purpose: []string{
		"A model as one file: it needs Python 3.9 or later and nothing else, and gives the",
		"daily returns and weights of the service that it was downloaded from.",
	}},
	"simulation": {main: "simulation", title: "Simulation", purpose: []string{
		"A simulation as one file: it needs Python 3.9 or later and nothing else, and gives",
		"the paths, tables and numbers of the service that it was downloaded from.",
	}},
	"analysis": {main: "analysis", title: "Analysis", purpose: []string{
		"An analysis as one file: it needs Python 3.9 or later and nothing else, and gives",
		"the tables and numbers of the service that it was downloaded from.",
	}},
}

// Render returns p as one Python file. The same script, options and harness version
// give the same bytes. It fails if the runtime has no engine for the script's kind, or
// if the runtime's modules import each other in a cycle.
func Render(p *script.Script, o Options) ([]byte, error) {
	family, known := families[p.Kind.Name]
	if !known {
		return nil, fmt.Errorf("render %s: a %s has no runtime outside the service", p.Name, p.Kind.Name)
	}
	modules, err := modules(family.main)
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", p.Name, err)
	}
	var b strings.Builder
	l := layout{family: family, out: &b, name: privateName(p.Source)}
	l.header(p, o)
	l.runtime(modules)
	if err := l.script(p, o); err != nil {
		return nil, fmt.Errorf("render %s: %w", p.Name, err)
	}
	return []byte(b.String()), nil
}

// privateName returns a name that does not occur in the script's text.
func privateName(source string) string {
	name := "_ballast"
	for strings.Contains(source, name) {
		name = "_" + name
	}
	return name
}
