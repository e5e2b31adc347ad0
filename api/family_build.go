package api

import (
	"context"
	"net/http"
	"strings"

	"ballast/internal/fault"
	"ballast/program"
)

type rebuildInput struct {
	Body *rebuildFields `nameHint:"ModelRebuild"`
}

type rebuildFields struct {
	Prompt *string `json:"prompt,omitempty" maxLength:"20000" doc:"Rebuilds the model from this description"`
	Script *string `json:"script,omitempty" doc:"Replaces the script; nothing is generated"`
}

type buildsOutput struct{ Body pageBody[*buildBody] }

// registerBuilding registers the operations that build programs.
func (f *family[C, P, S, R]) registerBuilding(s *Server) {
	register(s, route{
		method: http.MethodPost, path: "/v1/" + f.path, id: "create-" + f.words.one, tag: f.tag, status: http.StatusAccepted, idempotent: true,
		summary:     f.say("Create {a}"),
		description: f.say("Stores the {one} and starts its build: the script is checked at once, then {tried} in the background with its default inputs. Without a script, one is written from the prompt. `name` and `symbol` take precedence over those of the script, also in later rebuilds from a prompt. `run` is set while the build is in progress; afterwards `status` and `error` say how it ended."),
		faults:      []fault.Type{fault.InsufficientFunds, fault.PlanRequired, fault.InvalidScript, fault.UnknownMember, fault.ReferenceCycle, fault.SymbolTaken},
	}, func(ctx context.Context, in *C) (*sheetOutput[S], error) { return f.shown(ctx)(f.create(ctx, in)) })

	rebuild := f.one(http.MethodPost, "/rebuild")
	rebuild.id, rebuild.summary, rebuild.status, rebuild.idempotent = "rebuild-"+f.words.one, f.say("Rebuild {a}"), http.StatusAccepted, true
	rebuild.description = f.say("Builds the {one} again: from a script, from a prompt, or, if neither is given, from its stored prompt. It serves its current implementation until the new build succeeds; a failed rebuild leaves a warning.")
	rebuild.faults = append(rebuild.faults, fault.InsufficientFunds, fault.RebuildConflict, fault.SymbolTaken, fault.InvalidScript, fault.UnknownMember, fault.ReferenceCycle)
	register(s, rebuild, f.rebuild)

	builds := f.one(http.MethodGet, "/builds")
	builds.id, builds.summary, builds.tag = f.id("list", "builds"), f.say("List {a}'s builds"), f.runTag
	builds.description = "Lists every build and rebuild attempt, newest first, without scripts. Owner only."
	register(s, builds, f.listBuilds)
}

func (f *family[C, P, S, R]) rebuild(ctx context.Context, in *rebuildInput) (*sheetOutput[S], error) {
	fields := rebuildFields{}
	if in.Body != nil {
		fields = *in.Body
	}
	// An empty text is more likely a caller's mistake than a request to use the
	// stored prompt.
	var details []fault.Detail
	for name, text := range map[string]*string{"prompt": fields.Prompt, "script": fields.Script} {
		if text != nil && strings.TrimSpace(*text) == "" {
			details = append(details, fault.Detail{Location: "body." + name, Message: "is empty; leave it out to rebuild from the stored prompt"})
		}
	}
	if len(details) > 0 {
		return nil, fault.New(fault.InvalidBody, "Send a script or a prompt that is not empty, or neither to rebuild from the stored prompt.").With(details...)
	}
	return f.shown(ctx)(f.builder.Rebuild(ctx, accountOf(ctx), f.ref(ctx), program.RebuildRequest{
		Prompt: textOf(fields.Prompt), Script: textOf(fields.Script),
	}))
}

// textOf dereferences an optional text; nil gives "".
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (f *family[C, P, S, R]) listBuilds(ctx context.Context, in *PageParameters) (*buildsOutput, error) {
	builds, total, err := f.builds.Builds(ctx, accountOf(ctx), f.ref(ctx), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &buildsOutput{pageOf(builds, total, func(b *program.Build) *buildBody {
		body := buildBodyOf(b)
		body.Script = ""
		return body
	})}, nil
}
