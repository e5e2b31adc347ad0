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
	Date    timeseries.Date // NoDate if unknown
	Message string
}

// MaxProblems is the number of problems of one kind that are listed.
const MaxProblems = 50

// problems counts all problems and lists the first of each kind.
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

// Problems returns the problems of a kind found so far, at most MaxProblems, and their
// total.
func (f *File) Problems(kind Kind) (listed []Problem, total int64) {
	for _, p := range f.problems.listed {
		if p.Kind == kind {
			listed = append(listed, p)
		}
	}
	return slices.Clip(listed), f.problems.counts[kind]
}
