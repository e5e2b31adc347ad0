package service

import (
	"ballast/program"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/script/simulation"
)

// Families are the kinds of scripts beside models, as sandboxes execute them.
var Families = []sandbox.Family{simulation.Family}

// Kinds are the kinds of all programs.
var Kinds = script.Kinds{script.Model, simulation.Kind}

// SimulationKind is the kind of simulations.
var SimulationKind = &program.Kind{Kind: simulation.Kind}
