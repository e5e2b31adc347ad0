package export

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/internal/fault"
	"ballast/program"
)

// runs opens the account's own runs, newest first.
func (s *Service) runs(ctx context.Context, accountID string, q Query) (*Rows, error) {
	f := RunFilter{Status: q.Status, Source: q.Source, UpdatesOnly: q.UpdatesOnly}
	for _, ref := range q.Models {
		m, err := s.c.Models.Sheet(ctx, accountID, ref)
		if err == nil && m.AccountID != accountID {
			err = fault.Missing("model", ref)
		}
		if err != nil {
			return nil, inQuery(err, "models", ref)
		}
		f.ProgramIDs = append(f.ProgramIDs, m.ID)
	}
	var mark *RunMark
	done := false
	return newRows(ctx, Runs, func(ctx context.Context) (arrow.RecordBatch, error) {
		if done {
			return nil, io.EOF
		}
		page, err := s.c.RunPages.RunsAfter(ctx, accountID, f, mark, recordPage)
		if err != nil {
			return nil, err
		}
		if done = len(page) < recordPage; len(page) == 0 {
			return nil, io.EOF
		}
		last := page[len(page)-1]
		mark = &RunMark{CreatedAt: last.CreatedAt, ID: last.ID}
		b := newBuilder(Runs.Schema())
		for _, r := range page {
			b.run(r)
		}
		return b.record(), nil
	}, nil)
}

// run appends a row in the order of the schema.
func (b *builder) run(r *program.Run) {
	b.text(r.ID)
	b.text(program.KindOf(r.ProgramID))
	b.text(r.ProgramID)
	b.text(r.ProgramName)
	b.text(string(r.Status))
	b.boolean(r.Live)
	b.text(string(r.Source))
	b.textOrNull(r.Intent)
	b.textOrNull(r.Label)
	b.boolean(r.Shared)
	inputs := string(r.Inputs)
	if inputs == "" {
		inputs = "{}"
	}
	b.text(inputs)
	b.text(r.ScriptHash)
	b.text(r.BuildID)
	b.textOrNull(r.DataVersion)
	b.textOrNull(r.ResultHash)
	b.boolean(r.Superseded)
	failure := program.Failure{}
	if r.Failure != nil {
		failure = *r.Failure
	}
	b.textOrNull(failure.Type)
	b.textOrNull(failure.Message)
	b.moment(&r.CreatedAt)
	b.moment(r.StartedAt)
	b.moment(r.FinishedAt)
}
