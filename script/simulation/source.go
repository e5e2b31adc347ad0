package simulation

import (
	"fmt"

	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/script/harness"
)

// Rules are the names of the rules of the harness, sorted.
func Rules() []string { return harness.NamesOf(Kind.Name) }

// SourceOf writes the script that calls one rule of the harness with arguments, and
// declares inputs with these values as its defaults. Details name what is wrong, in
// the fields rule, arguments and inputs.
func SourceOf(rule string, arguments, inputs map[string]any) (string, []fault.Detail) {
	if !harness.OfKind(Kind.Name, rule) {
		return "", []fault.Detail{{Field: "rule", Message: fmt.Sprintf("%q is not a rule", rule), Accepted: Rules(), Suggestion: nearest.Match(rule, Rules())}}
	}
	return Kind.CallSource(rule, arguments, inputs)
}
