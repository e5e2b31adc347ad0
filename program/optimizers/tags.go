package optimizers

import (
	"fmt"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/optimize/optimizer"
)

// checkTags returns what is wrong with the tags of groups.
func checkTags(d *optimizer.Definition) (details []fault.Detail) {
	for i, g := range d.Groups {
		if g.Tag == "" {
			continue
		}
		field := fmt.Sprintf("groups[%d].tag", i)
		if len(g.Members) > 0 {
			details = append(details, fault.Detail{Field: field, Message: "is given beside members; give one of them, or two groups"})
		}
		if wrong := catalog.CheckGroup(g.Tag); wrong != nil {
			wrong.Field = field
			details = append(details, *wrong)
		}
	}
	return details
}

// Resolve returns the entries of a universe that have each tag of a definition. Only
// assets have tags: assets has one for each entry that is not a model.
func Resolve(d *optimizer.Definition, entries []string, assets map[string]*catalog.Asset) []optimizer.Tagged {
	var out []optimizer.Tagged
	for _, tag := range d.Tags() {
		t := optimizer.Tagged{Tag: tag, Members: []string{}}
		for _, entry := range entries {
			if a := assets[entry]; a != nil && a.In(tag) {
				t.Members = append(t.Members, entry)
			}
		}
		out = append(out, t)
	}
	return out
}
