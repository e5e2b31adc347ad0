package script

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

// place is a position in the script: line and column from 1, the column in characters.
type place struct{ line, column int }

func placeOf(p syntax.Position) place { return place{int(p.Line), int(p.Col)} }

func placeOfNode(n syntax.Node) place {
	if s, ok := n.(*syntax.IfStmt); ok {
		return placeOf(s.If) // Start also computes the end, which walks every elif
	}
	return placeOf(syntax.Start(n))
}

// maxProblems is the maximum number of problems in one report.
const maxProblems = 100

// problems collects what a check finds.
type problems struct{ list []Problem }

// add records a problem and returns it, so that the caller can fill in details
// before the next one.
func (p *problems) add(rule string, at place, format string, args ...any) *Problem {
	if len(p.list) == maxProblems {
		return &Problem{}
	}
	p.list = append(p.list, Problem{Rule: rule, Line: at.line, Column: at.column, Message: fmt.Sprintf(format, args...)})
	return &p.list[len(p.list)-1]
}

// at reports whether there is a problem at a place.
func (p *problems) at(at place) bool {
	return slices.ContainsFunc(p.list, func(x Problem) bool { return x.Line == at.line && x.Column == at.column })
}

// maxQuoted is the maximum length, in bytes, of each text that a problem quotes
// from a script.
const maxQuoted = 1000

// sorted returns the problems by place; those at the same place stay in the
// order found.
func (p *problems) sorted() []Problem {
	for i := range p.list {
		x := &p.list[i]
		x.Message, x.Text, x.Suggestion = quoted(x.Message), quoted(x.Text), quoted(x.Suggestion)
	}
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return p.list
}

// quoted shortens a text that is too long to repeat.
func quoted(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuoted], "") + "…"
}
