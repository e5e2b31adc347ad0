package service

import (
	"ballast/program"
	"ballast/script"
	"ballast/script/analysis"
	"ballast/script/sandbox"
	"ballast/script/simulation"
)

// Families are the kinds of scripts beside models, as sandboxes execute them.
var Families = []sandbox.Family{simulation.Family, analysis.Family}

// Kinds are the kinds of all scripts.
var Kinds = script.Kinds{script.Model, simulation.Kind, analysis.Kind, script.Optimizer}

// The kinds of programs beside models.
var (
	SimulationKind = &program.Kind{Kind: simulation.Kind}
	AnalysisKind   = &program.Kind{Kind: analysis.Kind}
)
