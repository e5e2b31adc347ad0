package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"ballast/api/transport"
	"ballast/internal/fault"
	"ballast/program"
)

type sheetOutput[S any] struct{ Body *S }

// ProgramsParameters filter a list of programs.
type ProgramsParameters struct {
	PageParameters
	Status     string                   `query:"status" enum:"building,active,updating,paused,failed" doc:"Only models with this status"`
	IsFavorite transport.Optional[bool] `query:"is_favorite" doc:"true for favourites only, false for the others; omit for all"`
	Labels     []string                 `query:"labels" minLength:"1" maxLength:"50" doc:"Only models with any of these labels, in any case"`
}

type programsOutput[R any] struct{ Body pageBody[R] }

// fileOutput is a response that is a file.
type fileOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

// registerPrograms registers the operations on stored programs: list, read, change
// and download.
func (f *family[C, P, S, R]) registerPrograms(s *Server) {
	list := route{
		method: http.MethodGet, path: "/v1/" + f.path, id: "list-" + f.words.many, tag: f.tag, status: http.StatusOK,
		summary: f.say("List {many}"), description: f.say("Lists the caller's {many}, newest first. Filters apply before paging."),
	}
	if f.list != nil {
		f.list(list)
	} else {
		register(s, list, f.listed)
	}

	get := f.one(http.MethodGet, "")
	get.id, get.summary = "get-"+f.words.one, f.say("Read {a}")
	get.description = strings.TrimSpace("Returns the whole fact sheet. " + f.about.get)
	register(s, get, f.get)

	change := f.one(http.MethodPatch, "")
	change.id, change.summary, change.description = "patch-"+f.words.one, f.say("Change {a}"), f.about.patch
	change.faults = append(change.faults, fault.PlanRequired, fault.NotReady, fault.SymbolTaken)
	register(s, change, func(ctx context.Context, in *P) (*sheetOutput[S], error) {
		return f.shown(ctx)(f.patch(ctx, f.ref(ctx), in))
	})

	script := f.one(http.MethodGet, "/script")
	script.id, script.summary, script.format = "get-"+f.words.one+"-script", f.say("Download {a}'s script"), "text/x-python"
	script.description = f.say("Returns one Python file that runs by itself with only the standard library and gives the same numbers: the script together with the harness and the engine. `python3 {one}.py --help` explains its use.")
	script.faults = append(script.faults, fault.NotReady)
	register(s, script, f.script)
}

// shown converts the result of a service method to the fact sheet.
func (f *family[C, P, S, R]) shown(ctx context.Context) func(*program.Sheet, error) (*sheetOutput[S], error) {
	return func(m *program.Sheet, err error) (*sheetOutput[S], error) {
		if err != nil {
			return nil, err
		}
		return &sheetOutput[S]{f.sheet(ctx, m)}, nil
	}
}

func (f *family[C, P, S, R]) listed(ctx context.Context, in *ProgramsParameters) (*programsOutput[R], error) {
	found, total, err := f.programs.Models(ctx, accountOf(ctx), in.filter())
	if err != nil {
		return nil, err
	}
	return &programsOutput[R]{pageOf(found, total, func(m *program.Sheet) R { return f.row(ctx, m) })}, nil
}

// filter is the parameters as the domain takes them.
func (in *ProgramsParameters) filter() program.ModelFilter {
	return program.ModelFilter{
		Status: program.Status(in.Status), Favorite: in.IsFavorite.Pointer(), Labels: in.Labels, Limit: in.Limit, Offset: in.Offset,
	}
}

func (f *family[C, P, S, R]) get(ctx context.Context, _ *struct{}) (*sheetOutput[S], error) {
	return f.shown(ctx)(f.programs.Sheet(ctx, accountOf(ctx), f.ref(ctx)))
}

func (f *family[C, P, S, R]) script(ctx context.Context, _ *struct{}) (*fileOutput, error) {
	file, err := f.programs.Script(ctx, accountOf(ctx), f.ref(ctx), exchangeOf(ctx).origin)
	if err != nil {
		return nil, err
	}
	return &fileOutput{
		ContentType: "text/x-python; charset=utf-8",
		Disposition: fmt.Sprintf("attachment; filename=%q", file.Name),
		Body:        file.Text,
	}, nil
}
