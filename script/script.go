package script

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/backtest"
	"ballast/script/dialect"
)

// HarnessVersion is the version of the contract and of the harness. It changes
// with every change that could change a result.
const HarnessVersion = "1.5.0"

// MaxSource is the maximum size of a script, in bytes.
const MaxSource = 256 << 10

// Script is a script that has passed its checks. It is immutable and safe for
// concurrent use.
type Script struct {
	Kind        *Kind
	Source      string
	Hash        string // SHA-256 of Source, in hex
	Name        string
	Symbol      string // "" if the script has none
	Description string // the docstring, or ""
	Schedule    backtest.Schedule
	Fill        backtest.Fill
	Start       backtest.Start
	Inputs      Schema
	Universe    []string          // the default members, in order
	Words       map[string]string // values of the constants in Kind.Words
	Optimizers  []string          // names of the optimizers that it uses, in order
	Branches    bool              // it has a condition, a comparison or a loop
	Reads       map[string]bool   // names that it reads as attributes, such as those of its context
	Mentions    map[string]bool   // Reads, and its strings and keywords that are names

	text     string // Source with \n line endings, to which positions refer
	imports  []dialect.Imported
	series   []string      // columns of series that it names
	sum      []callTerm    // see Sum
	context  *syntax.Ident // the parameter of the entry point
	answer   int           // line where decide returns weights, or of decide itself if it returns in several places
	compiled *starlark.Program
}

// Spec returns what the engine needs besides the frame and the decider.
func (p *Script) Spec(inputs Inputs) backtest.Spec {
	return backtest.Spec{
		Schedule: p.Schedule, Fill: p.Fill, Start: p.Start,
		StartDate: inputs.StartDate(), InitialCash: inputs.InitialCash(),
	}
}
