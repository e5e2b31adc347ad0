package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"ballast/backtest"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

func modelOf(r dbsqlc.WholeProgram) (*program.Model, error) {
	failure, err := decode[program.Failure](r.Failure)
	if err != nil {
		return nil, err
	}
	m := &program.Model{
		ID: r.ID, Kind: r.Kind, AccountID: r.AccountID, Name: r.Name, Symbol: r.Symbol, Slug: r.Slug, OwnName: r.OwnName, OwnSymbol: r.OwnSymbol, Status: program.Status(r.Status),
		Warning: r.Warning, Depth: int(r.Depth), AutoUpdate: r.AutoUpdate, NotifyEmail: r.NotifyEmail,
		IsPublic: r.IsPublic, IsFavorite: r.IsFavorite, Description: r.Description, Prompt: r.Prompt, Failure: failure,
		BuildID: r.BuildID, LiveRunID: orEmpty(r.LiveRunID), RevisionID: orEmpty(r.ApprovedRevisionID), StartDate: fromDate(r.StartDate), StartRule: r.StartRule,
		Waits: r.Refresh != "", Failures: int(r.Failures), NextRetry: utc(r.NextRetry), LastRunAt: utc(r.LastRunAt),
		LastOutcome: r.LastOutcome, LastError: r.LastError, RequestedSession: fromDate(r.RequestedSession), LastNotifiedAt: utc(r.LastNotifiedAt),
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	if len(r.Labels) > 0 {
		m.Labels = r.Labels
	}
	return m, nil
}

func buildOf(r dbsqlc.Build) (*program.Build, error) {
	failure, ferr := decode[program.Failure](r.Failure)
	usage, uerr := decode[program.Usage](r.Usage)
	causality, cerr := decode[backtest.Causality](r.Causality)
	entries, eerr := decode[program.Entries](r.Entries)
	if err := errors.Join(ferr, uerr, cerr, eerr); err != nil {
		return nil, err
	}
	build := &program.Build{
		ID: r.ID, AccountID: r.AccountID, ProgramID: r.ProgramID, Kind: r.Kind, Status: program.RunStatus(r.Status),
		Script: r.Script, ScriptHash: r.ScriptHash, InputsSchema: r.InputsSchema, Prompt: r.Prompt,
		Generator: r.Generator, Validation: r.Validation, Failure: failure, Usage: usage, Causality: causality,
		CreatedAt: r.CreatedAt.UTC(), FinishedAt: utc(r.FinishedAt),
	}
	if entries != nil {
		build.Entries = *entries
	}
	return build, nil
}

// joinedRunOf converts a run's row, including the columns of its build and program.
func joinedRunOf(r dbsqlc.RunsByIDRow) (*program.Run, error) {
	run, err := runOf(r.Run)
	if err != nil {
		return nil, err
	}
	run.ProgramName, run.InputsSchema, run.Live = r.ProgramName, r.InputsSchema, r.Live
	return run, nil
}

func runOf(r dbsqlc.Run) (*program.Run, error) {
	members, merr := decode[[]program.Member](r.Members)
	summary, answer, serr := summaryOf(r)
	usage, uerr := decode[program.Usage](r.Usage)
	failure, ferr := decode[program.Failure](r.Failure)
	entries, eerr := decode[program.Entries](r.Entries)
	tables, terr := decode[program.Tables](r.Tables)
	if err := errors.Join(merr, serr, uerr, ferr, eerr, terr); err != nil {
		return nil, err
	}
	run := &program.Run{
		ID: r.ID, AccountID: r.AccountID, ProgramID: r.ProgramID, BuildID: r.BuildID, Status: program.RunStatus(r.Status),
		Publishes: r.Publishes, Source: program.Source(r.Source), Intent: r.Intent, Label: r.Label, Shared: r.Shared,
		Inputs: r.Inputs, ScriptHash: r.ScriptHash, HarnessVersion: r.HarnessVersion, DataVersion: r.DataVersion,
		Summary: summary, Answer: answer, Usage: usage, ResultHash: r.ResultHash,
		Base: fromDate(r.Base), First: fromDate(r.FirstDate), Last: fromDate(r.LastDate), Superseded: r.Superseded,
		Progress: program.Progress{Step: r.ProgressStep, Done: int(r.ProgressDone), Total: int(r.ProgressTotal)},
		Failure:  failure, CreatedAt: r.CreatedAt.UTC(), StartedAt: utc(r.StartedAt), FinishedAt: utc(r.FinishedAt),
	}
	if members != nil {
		run.Members = *members
	}
	if tables != nil && len(*tables) > 0 {
		run.Tables = *tables
	}
	if entries != nil {
		run.Entries = *entries
	}
	return run, nil
}

// summaryOf decodes a run's summary, if its program is a model, or its answer
// otherwise.
func summaryOf(r dbsqlc.Run) (s *program.Summary, a *program.Answer, err error) {
	if strings.HasPrefix(r.ProgramID, string(id.Model)) {
		s, err = decode[program.Summary](r.Summary)
	} else {
		a, err = decode[program.Answer](r.Summary)
	}
	return s, a, err
}

// buildRow returns the row of a new build.
func buildRow(b *program.Build) (dbsqlc.InsertBuildParams, error) {
	failure, ferr := encode(b.Failure)
	usage, uerr := encode(b.Usage)
	entries, eerr := entriesRow(b.Entries)
	if err := errors.Join(ferr, uerr, eerr); err != nil {
		return dbsqlc.InsertBuildParams{}, err
	}
	schema := b.InputsSchema
	if schema == nil {
		schema = json.RawMessage("{}")
	}
	return dbsqlc.InsertBuildParams{
		ID: b.ID, AccountID: b.AccountID, ProgramID: b.ProgramID, Kind: b.Kind, Status: string(b.Status),
		Script: b.Script, ScriptHash: b.ScriptHash, InputsSchema: schema, Prompt: b.Prompt, Generator: b.Generator,
		Validation: b.Validation, Entries: entries, Failure: failure, Usage: usage, CreatedAt: stamp(b.CreatedAt), FinishedAt: b.FinishedAt,
	}, nil
}

// entriesRow returns the stored form of a universe's resolved entries; null if there
// are none.
func entriesRow(e program.Entries) ([]byte, error) {
	if e == nil {
		return nil, nil
	}
	return encode(&e)
}

// insertRun adds a new run.
func insertRun(ctx context.Context, q *dbsqlc.Queries, r *program.Run) error {
	row, err := runRow(r)
	if err != nil {
		return err
	}
	return q.InsertRun(ctx, row)
}

// runRow returns the row of a new run.
func runRow(r *program.Run) (dbsqlc.InsertRunParams, error) {
	entries, err := entriesRow(r.Entries)
	return dbsqlc.InsertRunParams{
		ID: r.ID, AccountID: r.AccountID, ProgramID: r.ProgramID, BuildID: r.BuildID, Status: string(r.Status),
		Publishes: r.Publishes, Source: string(r.Source), Intent: r.Intent, Label: r.Label, Shared: r.Shared,
		Inputs: r.Inputs, ScriptHash: r.ScriptHash, HarnessVersion: r.HarnessVersion, ProgressStep: r.Progress.Step,
		CreatedAt: stamp(r.CreatedAt), Entries: entries,
	}, err
}
