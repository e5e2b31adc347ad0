package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/script/harness"
)

// arguments read the arguments of a function of the harness and collect what is wrong
// with them.
type arguments struct {
	function string
	values   map[string]starlark.Value // by parameter; every one has a value
	problems []fault.Detail            // Field is the parameter
}

// argumentsOf names values, which are in the order of the signature without ctx.
func argumentsOf(function string, values []starlark.Value) *arguments {
	a := &arguments{function: function, values: map[string]starlark.Value{}}
	for i, p := range harness.SignatureIn(Kind.Name, function).Parameters[1:] {
		a.values[p.Name] = values[i]
	}
	return a
}

// err returns the first problem as the error of a call.
func (a *arguments) err() error {
	if len(a.problems) == 0 {
		return nil
	}
	p := a.problems[0]
	text := fmt.Sprintf("%s: %s %s", a.function, p.Field, p.Message)
	if len(p.Accepted) > 0 {
		text += "; accepted: " + strings.Join(p.Accepted, ", ")
	}
	if p.Suggestion != "" {
		text += "; did you mean " + p.Suggestion + "?"
	}
	return fmt.Errorf("%s", text)
}

func (a *arguments) wrong(parameter, message string, accepted ...string) {
	a.problems = append(a.problems, fault.Detail{Field: parameter, Message: message, Accepted: accepted})
}

const aMember = `the symbol of a member, such as "SPY"`

// key reads the symbol of one member.
func (a *arguments) key(parameter string) string {
	s, ok := starlark.AsString(a.values[parameter])
	if !ok || s == "" {
		a.wrong(parameter, "is "+shown(a.values[parameter]), aMember)
	}
	return s
}

// optionalKey reads the symbol of one member, "" for None.
func (a *arguments) optionalKey(parameter string) string {
	if a.values[parameter] == starlark.None {
		return ""
	}
	return a.key(parameter)
}

// mostKeys is how many members one function takes.
const mostKeys = 500

// keys reads a list of different members, at least least of them. One symbol is a list of
// one.
func (a *arguments) keys(parameter string, least int) []string {
	v := a.values[parameter]
	const accepted = `an array of symbols of members, such as ["SPY", "TLT"]`
	if s, ok := starlark.AsString(v); ok && s != "" && least <= 1 {
		return []string{s}
	}
	list, ok := v.(starlark.Iterable)
	if _, text := starlark.AsString(v); !ok || text {
		a.wrong(parameter, "is "+shown(v), accepted)
		return nil
	}
	var keys []string
	it := list.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		s, ok := starlark.AsString(x)
		switch {
		case !ok || s == "":
			a.wrong(parameter, "contains "+shown(x), accepted)
			return nil
		case slices.Contains(keys, s):
			a.wrong(parameter, fmt.Sprintf("names %s twice", s), "each member once")
			return nil
		}
		if keys = append(keys, s); len(keys) > mostKeys {
			a.wrong(parameter, fmt.Sprintf("names more than %d members", mostKeys), fmt.Sprintf("up to %d members", mostKeys))
			return nil
		}
	}
	if len(keys) < least {
		a.wrong(parameter, fmt.Sprintf("names %d members", len(keys)), fmt.Sprintf("at least %d different members", least))
	}
	return keys
}

// choice reads one of a few words.
func (a *arguments) choice(parameter string, accepted ...string) string {
	s, ok := starlark.AsString(a.values[parameter])
	if ok && slices.Contains(accepted, s) {
		return s
	}
	a.problems = append(a.problems, fault.Detail{Field: parameter, Message: "is " + shown(a.values[parameter]), Accepted: accepted, Suggestion: nearest.Match(s, accepted)})
	return ""
}

func (a *arguments) frequency() string { return a.choice("frequency", daily, monthly) }

// number reads a number above low and below high.
func (a *arguments) number(parameter string, low, high float64, such string) float64 {
	f, ok := starlark.AsFloat(a.values[parameter])
	if !ok || !(f > low && f < high) {
		a.wrong(parameter, "is "+shown(a.values[parameter]), fmt.Sprintf("a number above %v and below %v, such as %s", low, high, such))
	}
	return f
}

// integer reads a whole number from low to high.
func (a *arguments) integer(parameter string, low, high int) int {
	n, ok := whole(a.values[parameter])
	if !ok || n < low || n > high {
		a.wrong(parameter, "is "+shown(a.values[parameter]), fmt.Sprintf("an integer from %d to %d", low, high))
	}
	return n
}

// optionalInteger reads a whole number, otherwise for None.
func (a *arguments) optionalInteger(parameter string, low, high, otherwise int) int {
	if a.values[parameter] == starlark.None {
		return otherwise
	}
	return a.integer(parameter, low, high)
}

// boolean reads True or False.
func (a *arguments) boolean(parameter string) bool {
	b, ok := a.values[parameter].(starlark.Bool)
	if !ok {
		a.wrong(parameter, "is "+shown(a.values[parameter]), "True", "False")
	}
	return bool(b)
}

// whole returns the whole number that a value is; JSON has 3 and 3.0 alike.
func whole(v starlark.Value) (int, bool) {
	if _, isBool := v.(starlark.Bool); isBool {
		return 0, false
	}
	f, ok := starlark.AsFloat(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1e9 {
		return 0, false
	}
	return int(f), true
}

// shown is a value in a message.
func shown(v starlark.Value) string {
	switch x := v.(type) {
	case starlark.NoneType:
		return "missing"
	case starlark.String:
		if len(x) > 60 {
			return "a long string"
		}
		return x.String()
	case starlark.Float: // JSON does not tell 5 from 5.0
		return strconv.FormatFloat(float64(x), 'g', -1, 64)
	case starlark.Int, starlark.Bool:
		return v.String()
	case *starlark.List:
		return "a list"
	case *starlark.Dict:
		return "a dictionary"
	}
	return "a " + v.Type()
}

// listed joins names; of many only the first are shown.
func listed(names []string) string {
	const most = 8
	switch n := len(names); {
	case n == 0:
		return "nothing"
	case n == 1:
		return names[0]
	case n > most:
		return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), n-most)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
