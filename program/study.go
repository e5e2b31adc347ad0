package program

// Study is a simulation or an analysis whose served result has read a model.
type Study struct {
	ID     string
	Kind   string
	Name   string
	RunID  string // that it serves
	Shared bool   // whether anybody may read the page of that run
}
