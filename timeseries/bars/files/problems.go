package files

import (
	"slices"

	"ballast/timeseries"
)

// Kind names what is wrong with a cell or a row.
type Kind string

// The kinds of problem.
const (
	MalformedRow Kind = "malformed_row"
	BadDate      Kind = "bad_date"
	BadNumber    Kind = "bad_number"
)

// Problem is a cell or a row that cannot be read.
type Problem struct {
	Kind    Kind
	Symbol  string
	Date    timeseries.Date // NoDate where it is not known
	Message string
}

// MaxProblems is how many problems of a kind are listed.
const MaxProblems = 50

// problems counts all and lists the first of each kind.
type problems struct {
	listed []Problem
	counts map[Kind]int64
}

func (p *problems) add(kind Kind, symbol string, date timeseries.Date, message string) {
	if p.counts == nil {
		p.counts = map[Kind]int64{}
	}
	if p.counts[kind]++; p.counts[kind] <= MaxProblems {
		p.listed = append(p.listed, Problem{Kind: kind, Symbol: symbol, Date: date, Message: message})
	}
}

// Problems are those of a kind that were found until now, at most MaxProblems,
// and how many there are.
func (f *File) Problems(kind Kind) (listed []Problem, total int64) {
	for _, p := range f.problems.listed {
		if p.Kind == kind {
			listed = append(listed, p)
		}
	}
	return slices.Clip(listed), f.problems.counts[kind]
}
