package download

import (
	"fmt"
	"strings"

	"ballast/script"
)

// Options say where a model comes from. The file's header and help text show it.
type Options struct {
	Model string // the model's id, or ""
	URL   string // the service's public URL, or "" if not known
	// Members are what the entries of the script's universe refer to. Other entries
	// are looked up by name.
	Members map[string]Member
}

// Member is what an entry of a universe refers to.
type Member struct {
	Kind   string // asset or model
	ID     string
	Symbol string // as used in files of bars
}

// Render returns p as one Python file. The same script, options and harness version
// give the same bytes. It fails if the runtime has no engine for the script's kind, or
// if the runtime's modules import each other in a cycle.
func Render(p *script.Script, o Options) ([]byte, error) {
	if p.Kind != script.Model {
		return nil, fmt.Errorf("render %s: a %s has no runtime outside the service", p.Name, p.Kind.Name)
	}
	modules, err := modules()
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", p.Name, err)
	}
	var b strings.Builder
	l := layout{out: &b, name: privateName(p.Source)}
	l.header(p, o)
	l.runtime(modules)
	l.model(p, o)
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
