package harness

import (
	"maps"
	"slices"

	"ballast/script/internal/signature"
)

// The kinds of scripts that have functions of their own. Those of simulations and
// analyses take the context of the entry point as their first argument.
const (
	Model      = "model"
	Simulation = "simulation"
	Analysis   = "analysis"
)

// ofKinds are the functions of each kind.
var ofKinds = map[string]map[string]definition{Model: optimizing, Simulation: spending, Analysis: analyses}

// KindOf returns the only kind of scripts that may import a function, or "" if scripts of
// all kinds may.
func KindOf(name string) string {
	if _, general := table[name]; general {
		return ""
	}
	for kind, definitions := range ofKinds {
		if _, ok := definitions[name]; ok {
			return kind
		}
	}
	return ""
}

// NamesOf returns the names of the functions that take the context of a kind, sorted.
func NamesOf(kind string) []string { return slices.Sorted(maps.Keys(ofKinds[kind])) }

// OfKind reports whether a function takes the context of a kind.
func OfKind(kind, name string) bool {
	_, ok := ofKinds[kind][name]
	return ok
}

// SignatureIn returns the signature that a function has in scripts of a kind, or nil if
// the harness does not have the name.
func SignatureIn(kind, name string) *signature.Signature {
	if kind == Analysis && name == correlationOfAnalyses.Name {
		return correlationOfAnalyses
	}
	return Signature(name)
}
