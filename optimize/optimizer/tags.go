package optimizer

import "slices"

// Tagged says which members have a tag.
type Tagged struct {
	Tag     string   `json:"tag"`
	Members []string `json:"members"`
}

// Tags returns the tags of the groups, each once.
func (d *Definition) Tags() []string {
	var tags []string
	for _, g := range d.Groups {
		if g.Tag != "" && !slices.Contains(tags, g.Tag) {
			tags = append(tags, g.Tag)
		}
	}
	return tags
}

// Resolve returns the definition with the members of its tags.
func (d Definition) Resolve(tags []Tagged) Definition {
	d.Groups = slices.Clone(d.Groups)
	for i, g := range d.Groups {
		for _, t := range tags {
			if g.Tag != "" && g.Tag == t.Tag {
				d.Groups[i].Members = t.Members
			}
		}
	}
	return d
}
