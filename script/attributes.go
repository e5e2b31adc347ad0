package script

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script/harness"
)

// attributes are the attribute names that at least one type of a script's
// values has: strings, lists, dictionaries, sets, vectors, matrices and the
// context. Any other name is refused before the script runs, because in the
// downloaded script it could reach Python's internals.
var attributes = func() map[string]bool {
	set := starlark.NewSet(0)
	all := map[string]bool{}
	for _, names := range [][]string{
		contextList, harness.NewVector(nil).AttrNames(), (&harness.Matrix{}).AttrNames(),
		starlark.String("").AttrNames(), starlark.NewList(nil).AttrNames(), starlark.NewDict(0).AttrNames(), set.AttrNames(),
	} {
		for _, name := range names {
			all[name] = true
		}
	}
	return all
}()

var attributeList = slices.Sorted(maps.Keys(attributes))
