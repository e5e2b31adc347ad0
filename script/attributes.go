package script

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script/harness"
)

// attributes are those that some value of a script has: text, lists,
// dictionaries, sets, vectors, matrices, the context. Any other name is refused
// before the script runs. In the download a value could have more behind it,
// Python's own insides among them.
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
