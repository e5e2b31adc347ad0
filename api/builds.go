package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/program"
)

// buildBody is one attempt to build a program's implementation.
type buildBody struct {
	ID         string              `json:"id" example:"build_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	Kind       string              `json:"kind" enum:"create,rebuild,revision"`
	ProgramID  string              `json:"program_id"`
	Status     string              `json:"status" enum:"queued,running,complete,failed"`
	Script     string              `json:"script,omitempty" doc:"Only when a single build is read"`
	ScriptHash string              `json:"script_hash" doc:"SHA-256 of the script"`
	Prompt     *string             `json:"prompt"`
	Generator  *string             `json:"generator" doc:"What wrote the script; null if the caller did"`
	Validation json.RawMessage     `json:"validation" doc:"Result of the static checks"`
	Error      *program.Failure    `json:"error"`
	Usage      *program.Usage      `json:"usage"`
	Causality  *backtest.Causality `json:"causality" doc:"Evidence that the result does not depend on future bars; null until the build is complete"`
	CreatedAt  time.Time           `json:"created_at"`
	FinishedAt *time.Time          `json:"finished_at"`
}

type buildInput struct {
	BuildID string `path:"build_id" minLength:"1" doc:"Build id, in its current or legacy form"`
}

type buildOutput struct{ Body *buildBody }

func (s *Server) registerBuilds() {
	register(s, route{
		method: http.MethodGet, path: "/v1/builds/{build_id}", id: "get-build", tag: tagRuns, status: http.StatusOK,
		summary: "Read a build", description: "Returns one build attempt with its script and its full error, including the traceback. Owner only.",
		faults: []fault.Type{fault.NotFound},
	}, s.getBuild)
}

func (s *Server) getBuild(ctx context.Context, in *buildInput) (*buildOutput, error) {
	b, err := s.Builds.Build(ctx, accountOf(ctx), in.BuildID)
	if err != nil {
		return nil, err
	}
	return &buildOutput{buildBodyOf(b)}, nil
}

func buildBodyOf(b *program.Build) *buildBody {
	return &buildBody{
		ID: b.ID, Kind: b.Kind, ProgramID: b.ProgramID, Status: string(b.Status), Script: b.Script, ScriptHash: b.ScriptHash,
		Prompt: textOrNull(b.Prompt), Generator: textOrNull(b.Generator), Validation: rawOr(b.Validation, "null"),
		Error: b.Failure, Usage: b.Usage, Causality: b.Causality, CreatedAt: b.CreatedAt.UTC(), FinishedAt: utc(b.FinishedAt),
	}
}
