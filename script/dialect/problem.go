package dialect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// The rules of the contract that a problem can report.
const (
	RuleSyntax           = "syntax"             // not valid in this dialect of Python
	RuleConstantMissing  = "constant_missing"   // a required constant is missing
	RuleConstantInvalid  = "constant_invalid"   // a constant has a value that is not accepted
	RuleEntryPoint       = "entry_point"        // no decide(ctx)
	RuleImportNotAllowed = "import_not_allowed" // an import other than harness or math
	RuleHarnessName      = "harness_name"       // a name that the harness does not have
	RuleNondeterministic = "nondeterministic"   // a clock, randomness or the outside world
	RuleInputs           = "inputs"             // INPUTS breaks its schema
	RuleUniverse         = "universe"           // a member cannot be held
	RuleSymbol           = "symbol"             // the model's SYMBOL already means something else
	RuleSeries           = "series"             // a series from outside cannot be read
	RuleTooLarge         = "too_large"          // the script is larger than the limits
)

// Problem is one violation of the script contract.
type Problem struct {
	Rule       string   `json:"rule"`                 // id of the rule in the script contract
	Line       int      `json:"line"`                 // line in the script, from 1
	Column     int      `json:"column"`               // column in the line, in characters, from 1
	Message    string   `json:"message"`              // what is wrong and what to do
	Text       string   `json:"text,omitempty"`       // the offending text
	Accepted   []string `json:"accepted,omitempty"`   // what would have been accepted
	Suggestion string   `json:"suggestion,omitempty"` // the nearest accepted value
}

// String returns place, message and rule.
func (p Problem) String() string {
	return fmt.Sprintf("%d:%d: %s [%s]", p.Line, p.Column, p.Message, p.Rule)
}

// Place is a position in the script: line and column from 1, the column in characters.
type Place struct{ Line, Column int }

// Start is where a text begins.
var Start = Place{1, 1}

// PlaceOf returns the place of a position of the parser.
func PlaceOf(p syntax.Position) Place { return Place{int(p.Line), int(p.Col)} }

// PlaceOfNode returns where a node begins.
func PlaceOfNode(n syntax.Node) Place {
	if s, ok := n.(*syntax.IfStmt); ok {
		return PlaceOf(s.If) // Start also computes the end, which walks every elif
	}
	return PlaceOf(syntax.Start(n))
}

// MaxProblems is the maximum number of problems in one report.
const MaxProblems = 100

// Problems collects what a check finds.
type Problems struct{ List []Problem }

// Add records a problem and returns it, so that the caller can fill in details
// before the next one.
func (p *Problems) Add(rule string, at Place, format string, args ...any) *Problem {
	if len(p.List) == MaxProblems {
		return &Problem{}
	}
	p.List = append(p.List, Problem{Rule: rule, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)})
	return &p.List[len(p.List)-1]
}

// At reports whether there is a problem at a place.
func (p *Problems) At(at Place) bool {
	return slices.ContainsFunc(p.List, func(x Problem) bool { return x.Line == at.Line && x.Column == at.Column })
}

// maxQuoted is the maximum length, in bytes, of each text that a problem quotes
// from a script.
const maxQuoted = 1000

// Sorted returns the problems by place; those at the same place stay in the
// order found.
func (p *Problems) Sorted() []Problem {
	for i := range p.List {
		x := &p.List[i]
		x.Message, x.Text, x.Suggestion = quoted(x.Message), quoted(x.Text), quoted(x.Suggestion)
	}
	slices.SortStableFunc(p.List, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return p.List
}

// quoted shortens a text that is too long to repeat.
func quoted(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuoted], "") + "…"
}
