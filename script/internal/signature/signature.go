package signature

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Parameter is one thing that a function takes, by position or by name.
type Parameter struct {
	Name    string
	Default starlark.Value // what counts where it is not given; nil where it must be
}

// Signature is a function's name and parameters. It is immutable.
type Signature struct {
	Name       string
	Parameters []Parameter

	text string
}

// most bounds the parameters of a function, so that a call needs no allocation.
const most = 8

// New reads parameters as Python writes them, "prices, skip=0": a default is a
// number, None or False. It panics on anything else, which only a program's own
// tables can hold.
func New(name, parameters string) *Signature {
	s := &Signature{Name: name, text: name + "(" + parameters + ")"}
	if parameters == "" {
		return s
	}
	for part := range strings.SplitSeq(parameters, ", ") {
		p, standard, optional := strings.Cut(part, "=")
		if !optional {
			s.Parameters = append(s.Parameters, Parameter{Name: p})
			continue
		}
		s.Parameters = append(s.Parameters, Parameter{Name: p, Default: literal(standard)})
	}
	if len(s.Parameters) > most {
		panic("signature: " + s.text + " has too many parameters")
	}
	return s
}

func literal(text string) starlark.Value {
	switch text {
	case "None":
		return starlark.None
	case "False":
		return starlark.False
	}
	if i, err := strconv.Atoi(text); err == nil {
		return starlark.MakeInt(i)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("signature: the default " + text + " is not known")
	}
	return starlark.Float(f)
}

// String is the call as the contract's page writes it.
func (s *Signature) String() string { return s.text }

// Names lists the parameters in order.
func (s *Signature) Names() []string {
	names := make([]string, len(s.Parameters))
	for i, p := range s.Parameters {
		names[i] = p.Name
	}
	return names
}

// Index returns the position of a parameter, −1 where there is none of the name.
func (s *Signature) Index(name string) int {
	for i, p := range s.Parameters {
		if p.Name == name {
			return i
		}
	}
	return -1
}

func (s *Signature) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s", s.Name, fmt.Sprintf(format, args...))
}
