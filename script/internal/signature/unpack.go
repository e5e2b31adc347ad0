package signature

import (
	"fmt"

	"go.starlark.net/starlark"

	"ballast/internal/nearest"
)

// Unpack writes a call's arguments, or their defaults, into targets, one per
// parameter. A target is a *starlark.Value, *starlark.Iterable, *string, *int,
// *bool or starlark.Unpacker. Errors name the function, the argument and what
// is accepted. Unpack panics if the number of targets is wrong.
func (s *Signature) Unpack(args starlark.Tuple, kwargs []starlark.Tuple, targets ...any) error {
	if len(targets) != len(s.Parameters) {
		panic(fmt.Sprintf("signature: %s is unpacked into %d targets", s.text, len(targets)))
	}
	var given [most]starlark.Value
	if len(args) > len(s.Parameters) {
		return s.errorf("got %d arguments but takes at most %d: %s", len(args), len(s.Parameters), s.text)
	}
	copy(given[:], args)
	for _, pair := range kwargs {
		name := string(pair[0].(starlark.String))
		i := s.Index(name)
		if i < 0 {
			return s.unknown(name)
		}
		if given[i] != nil {
			return s.errorf("%s is given twice", name)
		}
		given[i] = pair[1]
	}
	for i, p := range s.Parameters {
		v := given[i]
		if v == nil {
			v = p.Default
		}
		if v == nil {
			return s.errorf("%s is missing: %s", p.Name, s.text)
		}
		if err := assign(targets[i], v); err != nil {
			return s.errorf("%s %v", p.Name, err)
		}
	}
	return nil
}

func (s *Signature) unknown(name string) error {
	if near := nearest.Match(name, s.Names()); near != "" {
		return s.errorf("there is no parameter %s; did you mean %s?", name, near)
	}
	return s.errorf("there is no parameter %s: %s", name, s.text)
}

func assign(target any, v starlark.Value) error {
	switch t := target.(type) {
	case *starlark.Value:
		*t = v
	case *starlark.Iterable:
		list, ok := v.(starlark.Iterable)
		if !ok {
			return fmt.Errorf("is a %s; a list is needed", v.Type())
		}
		*t = list
	case *string:
		text, ok := starlark.AsString(v)
		if !ok {
			return fmt.Errorf("is a %s; a string is needed", v.Type())
		}
		*t = text
	case *int:
		n, err := starlark.AsInt32(v)
		if err != nil {
			return fmt.Errorf("is %s; an integer is needed", brief(v))
		}
		*t = n
	case *bool:
		b, ok := v.(starlark.Bool)
		if !ok {
			return fmt.Errorf("is a %s; True or False is needed", v.Type())
		}
		*t = bool(b)
	case starlark.Unpacker:
		return t.Unpack(v)
	default:
		panic(fmt.Sprintf("signature: a target of type %T", target))
	}
	return nil
}

// brief shows a number, None or a boolean by its value, and anything else by
// its type.
func brief(v starlark.Value) string {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.NoneType, starlark.Bool:
		return v.String()
	}
	return "a " + v.Type()
}
