package signature

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Parameter is one parameter of a function, passed by position or by name.
type Parameter struct {
	Name    string
	Default starlark.Value // nil if the parameter is required
}

// Signature is a function's name and parameters. It is immutable.
type Signature struct {
	Name       string
	Parameters []Parameter

	text string
}

// most is the maximum number of parameters of a function, so that a call needs
// no allocation.
const most = 10

// New parses parameters in Python's notation, such as "prices, skip=0". A
// default must be a number, a string, None or False. New panics on anything else, because
// signatures are constants of the program.
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
	if text[0] == '"' {
		return starlark.String(strings.Trim(text, `"`))
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

// String returns the signature as docs/script-contract.md shows it.
func (s *Signature) String() string { return s.text }

// Names returns the names of the parameters, in order.
func (s *Signature) Names() []string {
	names := make([]string, len(s.Parameters))
	for i, p := range s.Parameters {
		names[i] = p.Name
	}
	return names
}

// Index returns the position of a parameter, or −1 if there is none with the
// name.
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
