package account

import (
	"slices"
	"strings"
)

// Scope is what a key may do.
type Scope string

// The scopes of keys. None contains another.
const (
	ScopeRead  Scope = "read"  // read everything, and ask what changes and costs nothing
	ScopeRun   Scope = "run"   // start work that is charged
	ScopeWrite Scope = "write" // change what the account keeps
)

// Scopes are all scopes, in the order in which they are shown.
var Scopes = []Scope{ScopeRead, ScopeRun, ScopeWrite}

// Ordered returns the known scopes of given in their usual order, each once, and the
// first text that is not a scope, or "".
func Ordered(given []Scope) (known []Scope, unknown Scope) {
	for _, s := range Scopes {
		if slices.Contains(given, s) {
			known = append(known, s)
		}
	}
	for _, s := range given {
		if !slices.Contains(Scopes, s) {
			return known, s
		}
	}
	return known, ""
}

// Missing returns those of needed that have does not contain.
func Missing(needed, have []Scope) []Scope {
	var missing []Scope
	for _, s := range needed {
		if !slices.Contains(have, s) {
			missing = append(missing, s)
		}
	}
	return missing
}

// List writes scopes as part of a sentence: "run and write".
func List(scopes []Scope) string {
	texts := make([]string, len(scopes))
	for i, s := range scopes {
		texts[i] = string(s)
	}
	if last := len(texts) - 1; last > 0 {
		return strings.Join(texts[:last], ", ") + " and " + texts[last]
	}
	return strings.Join(texts, "")
}
