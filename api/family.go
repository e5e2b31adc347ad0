package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/program"
)

// family is a kind of program that users keep: how its operations are named and
// described, which services do the work, and how its programs look on the wire.
// Create and Patch are the inputs of those two operations, Sheet is the fact sheet,
// and Row is a program in a list.
type family[Create, Patch, Sheet, Row any] struct {
	path   string // collection, below /v1: models
	words  words
	tag    string // section of the reference
	runTag string // section of its runs and builds
	about  about
	// member says that models may hold programs of the family, which adds possible
	// errors.
	member bool
	// shortIDs leaves the family's name out of the ids of operations on runs, builds
	// and the Trash, as models do: start-run, not start-model-run.
	shortIDs bool

	programs Models
	builder  Builder
	builds   Builds
	runs     Runs
	starter  RunChanges
	trash    Trash

	create func(context.Context, *Create) (*program.Sheet, error)
	patch  func(ctx context.Context, ref string, in *Patch) (*program.Sheet, error)
	sheet  func(context.Context, *program.Sheet) *Sheet
	row    func(context.Context, *program.Sheet) Row
	// list registers the list in its own way; nil lists as all families do.
	list func(route)
	// result adds the stored result to the body of a complete run.
	result func(ctx context.Context, body *runBody, include []string) error
}

// words are what texts call a family's programs.
type words struct{ one, a, many string } // model, a model, models

// about holds the sentences that only this family needs.
type about struct {
	reference string // how a path names a program
	example   string // an example of such a name
	tried     string // what a build does with the script, such as "backtested"
	get       string // added to the description of the fact sheet; may be ""
	patch     string
}

// say replaces {one}, {a}, {many} and {tried} in a text with the family's words.
func (f *family[C, P, S, R]) say(text string) string {
	return strings.NewReplacer("{one}", f.words.one, "{a}", f.words.a, "{many}", f.words.many, "{tried}", f.about.tried).Replace(text)
}

// id returns the id of an operation on what belongs to a program: runs, builds or
// Trash.
func (f *family[C, P, S, R]) id(verb, what string) string {
	if f.shortIDs {
		return verb + "-" + what
	}
	return verb + "-" + f.words.one + "-" + what
}

// among adds the faults that only occur for programs that models may hold.
func (f *family[C, P, S, R]) among(faults []fault.Type, ofMembers ...fault.Type) []fault.Type {
	if f.member {
		return append(faults, ofMembers...)
	}
	return faults
}

// one returns a route that names one program of the family.
func (f *family[C, P, S, R]) one(method, below string) route {
	return route{
		method: method, path: "/v1/" + f.path + "/{" + f.words.one + "}" + below, tag: f.tag, status: http.StatusOK,
		parameters: []*huma.Param{f.parameter(f.about.reference, f.about.example)},
		faults:     []fault.Type{fault.NotFound},
	}
}

// parameter documents the part of a path that names a program. example may be "".
func (f *family[C, P, S, R]) parameter(description, example string) *huma.Param {
	shortest := 1
	p := &huma.Param{
		Name: f.words.one, In: "path", Required: true, Description: description,
		Schema: &huma.Schema{Type: huma.TypeString, MinLength: &shortest, Description: description},
	}
	if example != "" {
		p.Schema.Examples = []any{example}
	}
	return p
}

// ref returns the name of the program in the request's path.
func (f *family[C, P, S, R]) ref(ctx context.Context) string {
	return exchangeOf(ctx).variables[f.words.one]
}

// registerFamily registers the operations that every family of programs has.
func registerFamily[C, P, S, R any](s *Server, f *family[C, P, S, R]) {
	f.registerTrash(s) // first: its paths would also match those of programs
	f.registerPrograms(s)
	f.registerBuilding(s)
	f.registerRuns(s)
}
