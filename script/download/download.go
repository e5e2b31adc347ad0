package download

import (
	"fmt"
	"strings"

	"ballast/script"
)

// Options say where a model comes from; the file's header and its help tell.
type Options struct {
	Model string // the model's id, "" where it has none
	URL   string // the service's public address, "" where it is not known
	// Members are what the entries of the script's universe mean; entries that are
	// not among them are looked up by name.
	Members map[string]Member
}

// Member is what an entry of a universe means.
type Member struct {
	Kind   string // asset or model
	ID     string
	Symbol string // by which files of bars have it
}

// Render writes p as one Python file. The same program, options and harness
// version give the same bytes. It fails where the runtime has no engine for the
// script's kind, or is itself damaged.
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

// privateName is a name that the script does not have anywhere in its text.
func privateName(source string) string {
	name := "_ballast"
	for strings.Contains(source, name) {
		name = "_" + name
	}
	return name
}
