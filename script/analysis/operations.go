package analysis

import (
	"slices"

	"ballast/script/harness"
)

// operation is a call of a function of the harness with checked arguments.
type operation interface {
	// members are the keys that it reads.
	members() []string
	// run computes, writes to the sheet and returns the name of its main table. A
	// *script.RunError of the type data_error and a *analyze.DataError are about the data.
	run(w *window, s *sheet) (table string, err error)
}

// operations read the arguments of each function.
var operations = map[string]func(a *arguments) operation{
	"attribution":  newAttribution,
	"components":   newComponents,
	"correlation":  newCorrelation,
	"drawdowns":    newDrawdowns,
	"factors":      newFactors,
	"frontier":     newFrontier,
	"regimes":      newRegimes,
	"report":       newReport,
	"rolling":      newRolling,
	"stress":       newStress,
	"style":        newStyle,
	"sweep":        newSweep,
	"tails":        newTails,
	"walk_forward": newWalkForward,
}

// Functions are the names of the functions of the harness for analyses, sorted.
func Functions() []string { return harness.NamesOf(Kind.Name) }

// keysOf joins lists of keys, each key once, without "".
func keysOf(lists ...[]string) []string {
	var out []string
	for _, list := range lists {
		for _, key := range list {
			if key != "" && !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}
