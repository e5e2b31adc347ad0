package script

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

// CallSource writes the script of a kind that only calls one function of the harness with
// arguments, and declares inputs with these values as its defaults. The function must be
// one of the kind. Details name what is wrong, in the fields arguments and inputs.
func (k *Kind) CallSource(function string, arguments, inputs map[string]any) (string, []fault.Detail) {
	var details []fault.Detail
	signature := harness.SignatureIn(k.Name, function)
	parameters := signature.Names()[1:] // without ctx
	call := []string{"ctx"}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if !slices.Contains(parameters, name) {
			details = append(details, fault.Detail{Field: "arguments." + name, Message: "is not an argument of " + function, Accepted: parameters, Suggestion: nearest.Match(name, parameters)})
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
	declared, wrong := k.declarations(inputs)
	if details = append(details, wrong...); len(details) > 0 {
		return "", details
	}
	title := strings.ReplaceAll(function, "_", " ")
	var b strings.Builder
	fmt.Fprintf(&b, "from harness import %s\n\nNAME = %s\nINPUTS = {\n%s}\n\n\ndef %s(ctx):\n    return %s(%s)\n",
		function, strconv.Quote(strings.ToUpper(title[:1])+title[1:]), declared, k.EntryPoint, function, strings.Join(call, ", "))
	return b.String(), nil
}

// declarations writes the entries of INPUTS.
func (k *Kind) declarations(inputs map[string]any) (string, []fault.Detail) {
	var details []fault.Detail
	known := []string{UniverseInput}
	types := map[string]string{UniverseInput: typeArray}
	for _, p := range k.Inputs {
		known, types[p.Name] = append(known, p.Name), p.Type
	}
	if _, given := inputs[UniverseInput]; !given {
		details = append(details, fault.Detail{Field: "inputs." + UniverseInput, Message: "is missing", Accepted: []string{`an array of symbols, such as ["SPY", "AGG"]`}})
	}
	var b strings.Builder
	for _, name := range known {
		if v, given := inputs[name]; given {
			fmt.Fprintf(&b, "    %q: {\"type\": %q, \"default\": %s},\n", name, types[name], python(v))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if !slices.Contains(known, name) {
			details = append(details, fault.Detail{Field: "inputs." + name, Message: "is not an input of " + WithArticle(k.Name), Accepted: known, Suggestion: nearest.Match(name, known)})
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
