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

// Entries are the meanings of a universe's entries. They are resolved once, when a
// script is accepted, and stored with its build: the script keeps holding the same
// things, whatever is imported, created or renamed later.
type Entries map[string]Entry

// Over merges both; where both have a meaning, that of e is used.
func (e Entries) Over(other Entries) Entries {
	all := maps.Clone(other)
	if all == nil {
		all = Entries{}
	}
	maps.Copy(all, e)
	return all
}

// entriesOf returns the meanings that a run read its members under.
func entriesOf(members []Member) Entries {
	read := make(Entries, len(members))
	for _, m := range members {
		read[m.Key] = Entry{Kind: m.Kind, ID: m.ID}
	}
	return read
}

// Count returns how many of the meanings are models and how many are assets.
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

// Prefixes of an entry that say which of the two it is: asset:GOLD, model:GOLD.
const (
	assetWord = string(MemberAsset) + ":"
	modelWord = string(MemberModel) + ":"
)

// reference is a parsed entry.
type reference struct {
	name string     // without the prefix; an id in its current form
	kind MemberKind // the kind that it must be; "" if it may be either
	byID bool
}

// referenceOf parses an entry. An id implies its kind.
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
