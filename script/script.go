package script

import (
	"go.starlark.net/starlark"

	"ballast/backtest"
)

// HarnessVersion is the version of the contract and of the harness that scripts
// run under. It changes with every change that could change a result.
const HarnessVersion = "1.3.0"

// MaxSource is the longest script that is read, in bytes.
const MaxSource = 256 << 10

// Script is a script that passed its checks. It is immutable and safe for
// concurrent use.
type Script struct {
	Kind        *Kind
	Source      string
	Hash        string // SHA-256 of Source, in hex
	Name        string
	Symbol      string // "" where the script gives none
	Description string // the docstring, "" without
	Schedule    backtest.Schedule
	Fill        backtest.Fill
	Start       backtest.Start
	Inputs      Schema
	Universe    []string // the default members, in order

	text     string // Source with plain line ends, by which positions count
	imports  []imported
	answer   int // line of what decide returns, of decide itself where it returns in several places
	compiled *starlark.Program
}

// Spec returns what the engine is told besides the frame and the decisions.
func (p *Script) Spec(inputs Inputs) backtest.Spec {
	return backtest.Spec{
		Schedule: p.Schedule, Fill: p.Fill, Start: p.Start,
		StartDate: inputs.StartDate(), InitialCash: inputs.InitialCash(),
	}
}
