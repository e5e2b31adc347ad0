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

type createModelInput struct {
	Body struct {
		Prompt      string   `json:"prompt,omitempty" maxLength:"20000" doc:"Description of the model; kept beside a script as its description"`
		Script      string   `json:"script,omitempty" doc:"The implementation, checked against the script contract"`
		Name        string   `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters on one line; goes before the script's NAME"`
		Symbol      string   `json:"symbol,omitempty" minLength:"1" maxLength:"12" doc:"A capital letter and up to 11 capitals, digits, dots and hyphens; goes before the script's SYMBOL"`
		Labels      []string `json:"labels,omitempty" maxItems:"100" doc:"Private labels, each of 1 to 50 characters without commas"`
		AutoUpdate  *bool    `json:"auto_update,omitempty" doc:"false disables recurring work" default:"true"`
		NotifyEmail *bool    `json:"notify_email,omitempty" doc:"false disables allocation emails" default:"true"`
	} `nameHint:"ModelCreate"`
}

// fileOutput is an answer that is no JSON.
type fileOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

type modelOutput struct{ Body *modelBody }

type modelsInput struct {
	PageParameters
	Status     string                   `query:"status" enum:"building,active,updating,paused,failed" doc:"Only models of this status"`
	IsFavorite transport.Optional[bool] `query:"is_favorite" doc:"Only favourites, or only others; omit for all"`
	Labels     []string                 `query:"labels" minLength:"1" maxLength:"50" doc:"Only models with any of these labels, in any case"`
}

type modelsOutput struct {
	Body pageBody[ModelSummaryBody]
}

type rebuildInput struct {
	ModelParameter
	Body *rebuildFields `nameHint:"ModelRebuild"`
}

type rebuildFields struct {
	Prompt *string `json:"prompt,omitempty" maxLength:"20000" doc:"Rewrites the model to this description"`
	Script *string `json:"script,omitempty" doc:"Replaces the implementation; nothing is generated"`
}

func (s *Server) registerModels() {
	register(s, route{
		method: http.MethodPost, path: "/v1/models", id: "create-model", tag: tagModels, status: http.StatusAccepted, idempotent: true,
		summary:     "Create a model",
		description: "Stores the model and starts its build: the script is checked at once, then backtested in the background at its default inputs. Without a script one is written from the prompt. `name` and `symbol` go before those of the script, then and in later rebuilds from words. `run` is set while the build is in flight; afterwards `status` and `error` tell how it ended.",
		faults:      []fault.Type{fault.InsufficientFunds, fault.PlanRequired, fault.InvalidScript, fault.UnknownMember, fault.ReferenceCycle, fault.SymbolTaken},
	}, s.createModel)
	register(s, route{
		method: http.MethodGet, path: "/v1/models", id: "list-models", tag: tagModels, status: http.StatusOK,
		summary: "List models", description: "The caller's models, the newest first. Filters apply before paging.",
	}, s.listModels)
	s.registerValidate()
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}", id: "get-model", tag: tagModels, status: http.StatusOK,
		summary: "Read a model", description: "The whole fact sheet. Of somebody else's model, member models that are not public have their key alone: no id, name or holdings.",
		faults: []fault.Type{fault.NotFound},
	}, s.getModel)
	register(s, route{
		method: http.MethodPost, path: "/v1/models/{model}/rebuild", id: "rebuild-model", tag: tagModels, status: http.StatusAccepted, idempotent: true,
		summary:     "Rebuild a model",
		description: "Builds the model anew: from a script, from a prompt, or, with neither, from its stored prompt. It serves its current implementation until the new one has succeeded; a failed rebuild leaves a warning.",
		faults: []fault.Type{
			fault.InsufficientFunds, fault.NotFound, fault.RebuildConflict, fault.SymbolTaken,
			fault.InvalidScript, fault.UnknownMember, fault.ReferenceCycle,
		},
	}, s.rebuildModel)
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/script", id: "get-model-script", tag: tagModels, status: http.StatusOK,
		format:      "text/x-python",
		summary:     "Download a model's script",
		description: "One Python file that runs by itself, with the standard library alone, and gives the same numbers: the script with the harness and the engine inlined. `python3 model.py --help` tells how.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady},
	}, s.getModelScript)
	s.registerModelHistory()
}

func (s *Server) createModel(ctx context.Context, in *createModelInput) (*modelOutput, error) {
	recurs, err := s.recurring(ctx, in.Body.AutoUpdate)
	if err != nil {
		return nil, err
	}
	m, err := s.Builder.Create(ctx, accountOf(ctx), program.CreateRequest{
		Prompt: in.Body.Prompt, Script: in.Body.Script, Name: in.Body.Name, Symbol: in.Body.Symbol, Labels: in.Body.Labels, AutoUpdate: recurs, NotifyEmail: in.Body.NotifyEmail,
	})
	if err != nil {
		return nil, err
	}
	return &modelOutput{s.modelBody(ctx, m)}, nil
}

func (s *Server) listModels(ctx context.Context, in *modelsInput) (*modelsOutput, error) {
	f := program.ModelFilter{
		Status: program.Status(in.Status), Favorite: in.IsFavorite.Pointer(), Limit: in.Limit, Offset: in.Offset,
	}
	for _, label := range in.Labels {
		f.Labels = append(f.Labels, strings.ToLower(label))
	}
	models, total, err := s.Models.Models(ctx, accountOf(ctx), f)
	if err != nil {
		return nil, err
	}
	return &modelsOutput{pageOf(models, total, func(m *program.Sheet) ModelSummaryBody {
		return s.modelSummaryBody(ctx, m)
	})}, nil
}

func (s *Server) getModel(ctx context.Context, in *ModelParameter) (*modelOutput, error) {
	m, err := s.Models.Sheet(ctx, accountOf(ctx), in.Model)
	if err != nil {
		return nil, err
	}
	return &modelOutput{s.modelBody(ctx, m)}, nil
}

func (s *Server) rebuildModel(ctx context.Context, in *rebuildInput) (*modelOutput, error) {
	fields := rebuildFields{}
	if in.Body != nil {
		fields = *in.Body
	}
	// An empty text is a mistake of the caller's, not the wish for the stored prompt.
	var details []fault.Detail
	for name, text := range map[string]*string{"prompt": fields.Prompt, "script": fields.Script} {
		if text != nil && strings.TrimSpace(*text) == "" {
			details = append(details, fault.Detail{Location: "body." + name, Message: "is empty; leave it out to build the stored prompt again"})
		}
	}
	if len(details) > 0 {
		return nil, fault.New(fault.InvalidBody, "A rebuild takes a script or a prompt that says something, or neither.").With(details...)
	}
	m, err := s.Builder.Rebuild(ctx, accountOf(ctx), in.Model, program.RebuildRequest{Prompt: textOf(fields.Prompt), Script: textOf(fields.Script)})
	if err != nil {
		return nil, err
	}
	return &modelOutput{s.modelBody(ctx, m)}, nil
}

// textOf is an optional text, "" where it was left out.
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (s *Server) getModelScript(ctx context.Context, in *ModelParameter) (*fileOutput, error) {
	f, err := s.Models.Script(ctx, accountOf(ctx), in.Model, exchangeOf(ctx).origin)
	if err != nil {
		return nil, err
	}
	return &fileOutput{
		ContentType: "text/x-python; charset=utf-8",
		Disposition: fmt.Sprintf("attachment; filename=%q", f.Name),
		Body:        f.Text,
	}, nil
}
