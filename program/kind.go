package program

import (
	"ballast/internal/id"
	"ballast/script"
)

// Kind is a family of programs. All kinds share names, states, builds, runs,
// sharing, the Trash and the refresh; what is a kind's own follows from its
// scripts, which say what a run computes and which tables it gives.
type Kind struct {
	*script.Kind
	Member bool // other programs may hold it: its result is a series of daily returns
}

// KindModel is the name of the kind of models, as it is stored.
const KindModel = "model"

// ModelKind is the kind of models.
var ModelKind = &Kind{Kind: script.Model, Member: true}

// id is the prefix of the kind's ids.
func (k *Kind) id() id.Kind { return id.Kind(k.Name + "_") }

// scripts are the kinds of scripts that programs of the kind have: its own alone.
func (k *Kind) scripts() script.Kinds { return script.Kinds{k.Kind} }
