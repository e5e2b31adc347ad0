package program

import (
	"strings"

	"ballast/internal/id"
	"ballast/script"
)

// Kind is a family of programs. All kinds share names, states, builds, runs, sharing,
// the Trash and refreshes. What differs follows from the kind's scripts, which
// determine what a run computes and which tables it returns.
type Kind struct {
	*script.Kind
	Member bool // other programs may hold it, because its result is a series of daily returns
}

// KindModel is the stored name of the kind of models.
const KindModel = "model"

// ModelKind is the kind of models.
var ModelKind = &Kind{Kind: script.Model, Member: true}

// KindOf returns the stored name of the kind of a program, by its id.
func KindOf(programID string) string {
	kind, _, _ := strings.Cut(programID, "_")
	return kind
}

// id returns the prefix of the kind's ids.
func (k *Kind) id() id.Kind { return id.Kind(k.Name + "_") }

// scripts returns the kinds of scripts that programs of the kind may have, which is
// only its own.
func (k *Kind) scripts() script.Kinds { return script.Kinds{k.Kind} }
