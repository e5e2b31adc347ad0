package download

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ballast/optimize/optimizer"
)

// solvable are the objectives that the runtime can solve.
var solvable = []string{optimizer.MinVariance, optimizer.MeanVariance, optimizer.RiskParity, optimizer.HRP}

// Unsupported names what the runtime lacks to solve a definition, such as "the objective
// max_sharpe"; "" if it lacks nothing.
func Unsupported(d optimizer.Definition) string {
	switch {
	case d.Objective == optimizer.Scripted:
		return "optimizers that are scripts"
	case !slices.Contains(solvable, d.Objective):
		return "the objective " + d.Objective
	case d.Turnover != nil:
		return "limits of turnover"
	case d.Tracking != nil:
		return "limits of the tracking error"
	}
	return ""
}

// optimizerTerms formats definitions as items of a Python dictionary, in JSON.
func optimizerTerms(list map[string]Optimizer) (string, error) {
	items := make([]string, 0, len(list))
	for _, name := range slices.Sorted(maps.Keys(list)) {
		d := list[name].Definition
		if lacks := Unsupported(d); lacks != "" {
			return "", fmt.Errorf("the runtime has no %s, which the optimizer %s needs", lacks, name)
		}
		d.Check() // fills in defaults; what is stored has been checked
		text, err := json.Marshal(d)
		if err != nil {
			return "", fmt.Errorf("encode the optimizer %s: %w", name, err)
		}
		items = append(items, fmt.Sprintf("%q: %q", name, text))
	}
	return strings.Join(items, ", "), nil
}
