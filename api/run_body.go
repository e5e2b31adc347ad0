package api

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/program"
)

// runBody is one execution of a program.
type runBody struct {
	ID          string           `json:"id" example:"run_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	Kind        string           `json:"kind" enum:"model,simulation,analysis"`
	Program     programBody      `json:"program"`
	Status      string           `json:"status" enum:"queued,running,complete,failed"`
	Live        bool             `json:"live" doc:"The model serves this run"`
	Source      string           `json:"source" enum:"create,rebuild,manual,refresh,cascade,promote,draft_test,apply"`
	Intent      *string          `json:"intent" enum:"test,refresh"`
	Label       *string          `json:"label"`
	Shared      bool             `json:"shared"`
	Inputs      json.RawMessage  `json:"inputs" doc:"Every input with its value"`
	Summary     runSummary       `json:"summary" doc:"Of a model, its window, trades and alignment; of other kinds, scalars and figures"`
	Usage       *program.Usage   `json:"usage"`
	ScriptHash  string           `json:"script_hash" doc:"SHA-256 of the script; the same as that of the build"`
	BuildID     string           `json:"build_id"`
	DataVersion *string          `json:"data_version" doc:"Version of the bars that were read"`
	ResultHash  *string          `json:"result_hash" doc:"Equal results have equal hashes"`
	Superseded  bool             `json:"superseded" doc:"The run was not published, because its members had newer results by then"`
	Progress    program.Progress `json:"progress"`
	Error       *program.Failure `json:"error"`
	CreatedAt   time.Time        `json:"created_at"`
	StartedAt   *time.Time       `json:"started_at"`
	FinishedAt  *time.Time       `json:"finished_at"`
	URL         *string          `json:"url" doc:"Public page; null unless the run is shared"`
	Result      *runResult       `json:"result,omitempty" doc:"With include=result, if the run is complete: the history of a model's run, or the result of another kind's"`
}

type programBody struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	InputsSchema json.RawMessage `json:"inputs_schema"`
}

func (s *Server) runBody(ctx context.Context, r *program.Run) *runBody {
	b := &runBody{
		ID: r.ID, Kind: program.KindOf(r.ProgramID), Program: programBody{ID: r.ProgramID, Name: r.ProgramName, InputsSchema: rawOr(r.InputsSchema, "null")},
		Status: string(r.Status), Live: r.Live, Source: string(r.Source), Intent: textOrNull(r.Intent), Label: textOrNull(r.Label),
		Shared: r.Shared, Inputs: rawOr(r.Inputs, "{}"), Summary: runSummary{summaryOf(r.Summary), answerOf(r.Answer)}, Usage: r.Usage,
		ScriptHash: r.ScriptHash, BuildID: r.BuildID, DataVersion: textOrNull(r.DataVersion), ResultHash: textOrNull(r.ResultHash),
		Superseded: r.Superseded, Progress: r.Progress, Error: r.Failure,
		CreatedAt: r.CreatedAt.UTC(), StartedAt: utc(r.StartedAt), FinishedAt: utc(r.FinishedAt),
	}
	if r.Shared {
		address := s.address(ctx, "run", r.ID)
		b.URL = &address
	}
	return b
}

// AppendJSON implements appender. It avoids encoding a long result twice.
func (r *runBody) AppendJSON(b []byte) ([]byte, error) {
	type plain runBody
	head := plain(*r)
	head.Result = nil
	b, err := transport.AppendValue(b, head)
	if err != nil || r.Result == nil {
		return b, err
	}
	b = append(bytes.TrimSuffix(b, []byte{'}'}), `,"result":`...)
	if b, err = r.Result.AppendJSON(b); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// runResult is the history of a model's run, or the result of another kind's.
type runResult struct {
	history *historyBody
	result  *resultBody
}

// AppendJSON implements appender.
func (r *runResult) AppendJSON(b []byte) ([]byte, error) {
	if r.result != nil {
		return r.result.AppendJSON(b)
	}
	return r.history.AppendJSON(b)
}

// MarshalJSON lets encoding/json write the body within another.
func (r *runResult) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// Schema implements huma.SchemaProvider.
func (runResult) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[historyBody](), true, "History"), r.Schema(reflect.TypeFor[documentedResult](), true, "Result"),
	}}
}

// runSummary is the summary of a model's run, or the answer of another kind's.
type runSummary struct {
	model  *program.Summary
	answer *program.Answer
}

// MarshalJSON implements json.Marshaler.
func (s runSummary) MarshalJSON() ([]byte, error) {
	if s.answer != nil {
		return json.Marshal(s.answer)
	}
	return json.Marshal(s.model)
}

// Schema implements huma.SchemaProvider.
func (runSummary) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[program.Summary](), true, "Summary"), r.Schema(reflect.TypeFor[program.Answer](), true, "Answer"), {Type: "null"},
	}}
}

// rawOr returns JSON from the store, or otherwise if it is empty.
func rawOr(raw json.RawMessage, otherwise string) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage(otherwise)
	}
	return raw
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}
