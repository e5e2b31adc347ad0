package program

import "encoding/json"

// Trial is a strategy that was tried with inputs in a sweep, without a run of its own. It
// counts among the trials of its model as a run with these inputs does.
type Trial struct {
	ProgramID  string
	Strategy   string // see script.Script
	ScriptHash string
	Inputs     json.RawMessage // all of them
	Sharpe     float64         // annual, of the whole result; NaN if undefined
}
