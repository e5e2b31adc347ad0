package reports

import (
	"errors"
	"fmt"

	"ballast/timeseries"
	"ballast/timeseries/bars/files"
)

// ErrRefused says that a file was refused because of the errors in its report, or because
// of its doubts if these refuse it too. Nothing was changed.
var ErrRefused = errors.New("the file is refused for the problems in its report")

// Severity is how a problem affects an import.
type Severity string

// The severities.
const (
	Error Severity = "error" // refuses the file
	Doubt Severity = "doubt" // is listed and stored; Options.Strict makes it refuse too
)

// ProblemKind is what is wrong; docs/bars.md explains each kind.
type ProblemKind string

// The kinds of problem.
const (
	MalformedRow   ProblemKind = "malformed_row"    // error: a line that does not have the header's cells
	BadSymbol      ProblemKind = "bad_symbol"       // error: missing, or characters that no symbol has
	BadDate        ProblemKind = "bad_date"         // error: missing, unreadable or absurd
	BadNumber      ProblemKind = "bad_number"       // error: a cell that is not a finite number
	MissingPrice   ProblemKind = "missing_price"    // error: no value in the column that returns come from
	BadPrice       ProblemKind = "bad_price"        // error: a price ≤ 0, a split or dividend < 0, a return < -1
	Conflict       ProblemKind = "conflict"         // error: two rows of one symbol and date that differ
	OtherBasis     ProblemKind = "other_convention" // error: stored bars have another convention
	MissingReturn  ProblemKind = "missing_return"   // error: bars before the first stored one, whose return is not known
	Duplicate      ProblemKind = "duplicate"        // doubt: the same row again, dropped
	Unsorted       ProblemKind = "unsorted"         // doubt: dates that go back, put in order
	LargeChange    ProblemKind = "large_change"     // doubt: a return beyond ±50 %
	Gap            ProblemKind = "gap"              // doubt: more than seven days without a bar
	HolidayPadded  ProblemKind = "holiday_padded"   // doubt: repeated prices on days without trading
	SplitTwice     ProblemKind = "split_twice"      // doubt: a split on a day whose close does not fall with it
	StrayWeekend   ProblemKind = "stray_weekend"    // doubt: few weekend bars in a weekday series
	UnverifiedLink ProblemKind = "unverified_basis" // doubt: nothing shows that old and new adjusted closes are on one basis
	Rebased        ProblemKind = "rebased"          // doubt: the file's adjusted closes are on another basis and were scaled
	UnknownColumn  ProblemKind = "unknown_column"   // doubt: a column that is not read
	AssumedSymbol  ProblemKind = "assumed_symbol"   // doubt: no symbol column, the file's name was taken
	AssumedBasis   ProblemKind = "assumed_adjusted" // doubt: prices are read as adjusted closes though no column says so
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	Severity Severity        `json:"severity"`
	Kind     ProblemKind     `json:"kind"`
	Symbol   string          `json:"symbol,omitempty"`
	Date     timeseries.Date `json:"date"` // NoDate if it concerns no single date
	Message  string          `json:"message"`
	Count    int64           `json:"count"` // number of rows concerned, at least 1
}

// MaxProblems is the number of problems of one kind that a report lists. One further
// entry stands for the rest, so that the counts of a kind add up to its total.
const MaxProblems = files.MaxProblems

// Report describes what a file contained and what its import did.
type Report struct {
	File       string          `json:"file"` // base name
	SHA256     string          `json:"sha256"`
	Layout     string          `json:"layout"` // "long" (a row per symbol and date) or "wide" (columns per symbol)
	Rows       int64           `json:"rows"`   // bars in the file, duplicates included
	Symbols    int64           `json:"symbols"`
	First      timeseries.Date `json:"first"`
	Last       timeseries.Date `json:"last"`
	NewSymbols int64           `json:"new_symbols"`
	Added      int64           `json:"added"`     // bars on dates without a stored bar
	Changed    int64           `json:"changed"`   // stored bars with a new value, including those whose return follows from a neighbour
	Unchanged  int64           `json:"unchanged"` // bars of the file that equal the stored ones
	Restated   int64           `json:"restated"`  // symbols whose history was rewritten
	Version    int64           `json:"version"`   // created by the import; the latest version if it changed nothing
	Problems   []Problem       `json:"problems"`

	InFile map[string]bool `json:"-"` // all symbols of the file, including those that Options.Only excludes
}

// Count returns the number of rows with problems of the severity.
func (r *Report) Count(s Severity) int64 {
	var n int64
	for _, p := range r.Problems {
		if p.Severity == s {
			n += p.Count
		}
	}
	return n
}

// AddListed adds problems of one kind, of which at most MaxProblems are listed.
func (r *Report) AddListed(found []Problem) {
	var more int64
	for i, p := range found {
		if i < MaxProblems {
			r.Add(p)
			continue
		}
		more += p.Count
	}
	if more > 0 {
		r.Add(Problem{Severity: found[0].Severity, Kind: found[0].Kind, Date: timeseries.NoDate, Message: fmt.Sprintf("and %d more like these", more), Count: more})
	}
}

// Add adds a problem. A Count of 0 means one row.
func (r *Report) Add(p Problem) {
	if p.Count == 0 {
		p.Count = 1
	}
	r.Problems = append(r.Problems, p)
}
