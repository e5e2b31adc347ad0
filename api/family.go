package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/program"
)

// family is a kind of programs that users keep: how its operations are named and
// described, who does the work, and how a program of it looks on the wire. Create
// and Patch are the inputs of those two operations, Sheet is the fact sheet, and Row
// a program in a list.
type family[Create, Patch, Sheet, Row any] struct {
	path   string // collection, below /v1: models
	words  words
	tag    string // section of the reference
	runTag string // and that of its runs and builds
	about  about
	// member says that models may hold programs of the family, which adds refusals.
	member bool
	// shortIDs are the operation ids of models' runs, builds and Trash, which do not
	// name the family: start-run for start-model-run.
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
	// result adds the stored result to the body of a complete run.
	result func(ctx context.Context, body *runBody, include []string) error
}

// words are what a family's programs are called in texts.
type words struct{ one, a, many string } // model, a model, models

// about are the sentences of a family's own.
type about struct {
	reference string // what names a program of it
	example   string // such a name
	tried     string // what a build does with the script: backtested
	get       string // after what all fact sheets say; "" for nothing
	patch     string
}

// say puts the words of the family in the places of {one}, {a} and {many}.
func (f *family[C, P, S, R]) say(text string) string {
	return strings.NewReplacer("{one}", f.words.one, "{a}", f.words.a, "{many}", f.words.many, "{tried}", f.about.tried).Replace(text)
}

// id is the id of an operation on what belongs to programs: their runs, builds and Trash.
func (f *family[C, P, S, R]) id(verb, what string) string {
	if f.shortIDs {
		return verb + "-" + what
	}
	return verb + "-" + f.words.one + "-" + what
}

// among adds the refusals that only programs have which models may hold.
func (f *family[C, P, S, R]) among(faults []fault.Type, ofMembers ...fault.Type) []fault.Type {
	if f.member {
		return append(faults, ofMembers...)
	}
	return faults
}

// one is a route that names a program of the family.
func (f *family[C, P, S, R]) one(method, below string) route {
	return route{
		method: method, path: "/v1/" + f.path + "/{" + f.words.one + "}" + below, tag: f.tag, status: http.StatusOK,
		parameters: []*huma.Param{f.parameter(f.about.reference, f.about.example)},
		faults:     []fault.Type{fault.NotFound},
	}
}

// parameter documents the part of a path that names a program; example is "" for none.
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

// ref is the name of the program in the request's path.
func (f *family[C, P, S, R]) ref(ctx context.Context) string {
	return exchangeOf(ctx).variables[f.words.one]
}

// registerFamily registers what every family of programs can do.
func registerFamily[C, P, S, R any](s *Server, f *family[C, P, S, R]) {
	f.registerTrash(s) // first: its paths fit those of programs too
	f.registerPrograms(s)
	f.registerBuilding(s)
	f.registerRuns(s)
}
