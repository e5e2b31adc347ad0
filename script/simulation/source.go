package simulation

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/script/harness"
)

// Rules are the names of the rules of the harness, sorted.
func Rules() []string {
	return slices.DeleteFunc(slices.Clone(harness.Names()), func(name string) bool { return harness.KindOf(name) != Kind.Name })
}

// SourceOf writes the script that calls one rule of the harness with arguments, and
// declares inputs with these values as its defaults. Details name what is wrong, in
// the fields rule, arguments and inputs.
func SourceOf(rule string, arguments, inputs map[string]any) (string, []fault.Detail) {
	if harness.KindOf(rule) != Kind.Name {
		return "", []fault.Detail{{Field: "rule", Message: fmt.Sprintf("%q is not a rule", rule), Accepted: Rules(), Suggestion: nearest.Match(rule, Rules())}}
	}
	var details []fault.Detail
	signature := harness.Signature(rule)
	parameters := signature.Names()[1:] // without ctx
	call := []string{"ctx"}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if !slices.Contains(parameters, name) {
			details = append(details, fault.Detail{Field: "arguments." + name, Message: "is not an argument of " + rule, Accepted: parameters, Suggestion: nearest.Match(name, parameters)})
		}
	}
	for _, p := range signature.Parameters[1:] {
		v, given := arguments[p.Name]
		switch {
		case given:
			call = append(call, p.Name+"="+python(v))
		case p.Default == nil:
			details = append(details, fault.Detail{Field: "arguments." + p.Name, Message: "is missing: " + signature.String()})
		}
	}
	declared, wrong := declarations(inputs)
	if details = append(details, wrong...); len(details) > 0 {
		return "", details
	}
	title := strings.ReplaceAll(rule, "_", " ")
	var b strings.Builder
	fmt.Fprintf(&b, "from harness import %s\n\nNAME = %s\nINPUTS = {\n%s}\n\n\ndef simulate(ctx):\n    return %s(%s)\n",
		rule, strconv.Quote(strings.ToUpper(title[:1])+title[1:]), declared, rule, strings.Join(call, ", "))
	return b.String(), nil
}

// declarations writes the entries of INPUTS.
func declarations(inputs map[string]any) (string, []fault.Detail) {
	var details []fault.Detail
	known := []string{"universe"}
	types := map[string]string{"universe": "array"}
	for _, p := range Kind.Inputs {
		known, types[p.Name] = append(known, p.Name), p.Type
	}
	if _, given := inputs["universe"]; !given {
		details = append(details, fault.Detail{Field: "inputs.universe", Message: "is missing", Accepted: []string{`an array of symbols, such as ["SPY", "AGG"]`}})
	}
	var b strings.Builder
	for _, name := range known {
		if v, given := inputs[name]; given {
			fmt.Fprintf(&b, "    %q: {\"type\": %q, \"default\": %s},\n", name, types[name], python(v))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if !slices.Contains(known, name) {
			details = append(details, fault.Detail{Field: "inputs." + name, Message: "is not an input of a simulation", Accepted: known, Suggestion: nearest.Match(name, known)})
		}
	}
	return b.String(), details
}

// python writes a value of JSON as a literal of a script.
func python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		return strconv.QuoteToASCII(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		return v.String()
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = python(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strconv.QuoteToASCII(key)+": "+python(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}
