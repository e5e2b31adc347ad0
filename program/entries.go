package program

import (
	"maps"
	"strings"

	"ballast/internal/id"
)

// Entry is what an entry of a universe means: an asset or a model, by id.
type Entry struct {
	Kind MemberKind `json:"kind"`
	ID   string     `json:"id"`
}

// Entries are the meanings of a universe's entries. They are found once, when a
// script is accepted, and kept with its build: whatever is imported, created or
// renamed later, the script holds what it held.
type Entries map[string]Entry

// Over are the meanings of both, those of e where both have one.
func (e Entries) Over(other Entries) Entries {
	all := maps.Clone(other)
	if all == nil {
		all = Entries{}
	}
	maps.Copy(all, e)
	return all
}

// entriesOf are the meanings under which a run has read its members.
func entriesOf(members []Member) Entries {
	read := make(Entries, len(members))
	for _, m := range members {
		read[m.Key] = Entry{Kind: m.Kind, ID: m.ID}
	}
	return read
}

// Count is how many of the meanings are models, and how many assets.
func (e Entries) Count() (models, assets int) {
	for _, x := range e {
		if x.Kind == MemberModel {
			models++
		} else {
			assets++
		}
	}
	return models, assets
}

// The words before an entry that say which of the two it is: asset:GOLD, model:GOLD.
const (
	assetWord = string(MemberAsset) + ":"
	modelWord = string(MemberModel) + ":"
)

// reference is an entry as it is looked up.
type reference struct {
	name string     // without the word before it; an id in its current form
	kind MemberKind // that it has to be, "" where it may be either
	byID bool
}

// referenceOf reads an entry: an id says what it is of itself.
func referenceOf(entry string) reference {
	r := reference{name: entry}
	if rest, ok := strings.CutPrefix(entry, assetWord); ok {
		r = reference{name: rest, kind: MemberAsset}
	} else if rest, ok := strings.CutPrefix(entry, modelWord); ok {
		r = reference{name: rest, kind: MemberModel}
	}
	if current, ok := id.Parse(id.Asset, r.name); ok && r.kind != MemberModel {
		return reference{name: current, kind: MemberAsset, byID: true}
	}
	if current, ok := id.Parse(id.Model, r.name); ok && r.kind != MemberAsset {
		return reference{name: current, kind: MemberModel, byID: true}
	}
	return r
}
