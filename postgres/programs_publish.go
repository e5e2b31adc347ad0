package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/billing"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/jobs"
)

// Publish makes a result visible. It locks the series that were read, then models along the graph, members before
// their holders: the pinned members, then the model, then its holders. So when a
// member and its holder publish at the same time, the one that commits second sees the
// other.
func (db *DB) Publish(ctx context.Context, p *program.Publication) error {
	complete, usage, err := completion(p)
	if err != nil {
		return err
	}
	held := heldModels(p.Members)
	causality, err := encode(p.Causality)
	if err != nil {
		return err
	}
	err = db.pipelined(ctx, func(tx *pipeline, q *dbsqlc.Queries) error {
		if len(held) > 0 {
			// Without this lock, two builds could each add half of a cycle without
			// seeing the other half. It is taken before row locks, which others may
			// hold.
			if err := q.LockGraph(ctx, p.RunID); err != nil {
				return err
			}
		}
		newer, deleted, err := shareSeries(ctx, q, p.Series)
		if err != nil {
			return err
		}
		members, err := q.LockMembers(ctx, held)
		if err != nil {
			return err
		}
		found, err := lockUnended(ctx, q, p.RunID)
		if err != nil || found == nil {
			return err
		}
		model, run := &found.WholeProgram, &found.Run
		if err := acyclic(ctx, q, run, held, found.Held); err != nil {
			return err
		}
		if awaited(run) {
			if err := q.NotifyRunEnded(ctx, run.ID); err != nil {
				return err
			}
		}
		// The implementation may have been replaced during the run.
		replaced := run.Publishes && !program.Source(run.Source).Builds() && run.BuildID != model.BuildID
		moved := movedOn(p.Members, members)
		if run.Publishes && !moved {
			if moved, err = outdated(ctx, q, run.AccountID, p.Members); err != nil {
				return err
			}
			if !moved {
				if moved, err = otherRules(ctx, q, p.Summary); err != nil {
					return err
				}
			}
		}
		complete.Superseded = replaced || run.Publishes && moved
		if err := q.CompleteRun(ctx, complete); err != nil {
			return err
		}
		if err := keepSeriesReads(ctx, q, p.RunID, p.Series); err != nil {
			return err
		}
		if len(p.Trials) > 0 {
			if err := q.RecordTrials(ctx, trialsOf(p)); err != nil {
				return err
			}
		}
		served := run.Publishes && !complete.Superseded
		if p.Figures != nil {
			if err := putFigures(ctx, tx, p.RunID, p.Figures, served); err != nil {
				return err
			}
		}
		if program.Source(run.Source).Builds() {
			// A superseded run does not end the build; the run that follows does.
			end := dbsqlc.EndBuildParams{ID: run.BuildID, Status: string(program.RunRunning), Usage: usage, Causality: causality}
			if !complete.Superseded {
				end.Status, end.Now = string(program.RunComplete), complete.FinishedAt
			}
			if err := q.EndBuild(ctx, end); err != nil {
				return err
			}
		}
		switch {
		case replaced:
			err = db.replaced(ctx, tx, q, model, p.DataVersion)
		case complete.Superseded && !program.Source(run.Source).Builds():
			if err = q.MarkDue(ctx, []string{model.ID}); err == nil {
				err = db.settle(ctx, tx, q, model.ID)
			}
		case complete.Superseded:
			err = db.repeat(ctx, tx, q, []string{run.ID}, program.Source(run.Source))
		case run.Publishes:
			if err = db.serve(ctx, tx, q, model, run, p); err == nil {
				err = db.followSeries(ctx, tx, q, model, newer, deleted)
			}
		case program.Source(run.Source) == program.SourceDraftTest:
			err = q.NoteRevisionWarning(ctx, dbsqlc.NoteRevisionWarningParams{RunID: run.ID, Warning: storable(p.Warning)})
		}
		if err != nil {
			return err
		}
		if err := db.tellComplete(ctx, tx, q, found, p, served, complete.Superseded); err != nil {
			return err
		}
		outcome := billing.Done
		if complete.Superseded {
			outcome = billing.Superseded
		}
		// All runs of an account change its balance, so it is locked last. If nobody
		// listens for low credit, no statement follows.
		tx.last = !found.Listened
		return db.charge(ctx, tx, q, found, p.Usage, outcome)
	})
	return wrap(err, "publish run %s", p.RunID)
}

// replaced ends a run of an implementation that its model no longer serves. The model
// keeps what it serves. If the run has read newer bars than the live run, a run of the
// current implementation is queued.
func (db *DB) replaced(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, dataVersion string) error {
	served, err := q.RunsByID(ctx, []string{orEmpty(model.LiveRunID)})
	if err != nil {
		return err
	}
	if len(served) > 0 && program.BarsVersion(dataVersion) > program.BarsVersion(served[0].Run.DataVersion) {
		if err := q.MarkDue(ctx, []string{model.ID}); err != nil {
			return err
		}
	}
	return db.keepServing(ctx, tx, q, model, model.Warning)
}

// awaited reports whether a caller may be waiting for the run's end. Other runs are
// not announced, since PostgreSQL commits transactions that notify one at a time.
func awaited(r *dbsqlc.Run) bool { return r.Intent != "" || !program.Source(r.Source).Routine() }

// acyclic rejects a run that would make its model hold itself, at any depth: a member
// may have been rebuilt to hold the model during the run. Members that the model held
// before cannot add a cycle.
func acyclic(ctx context.Context, q *dbsqlc.Queries, run *dbsqlc.Run, held, before []string) error {
	if !run.Publishes || !slices.ContainsFunc(held, func(id string) bool { return !slices.Contains(before, id) }) {
		return nil
	}
	circle, err := holds(ctx, q, held, run.ProgramID)
	if err == nil && circle {
		return program.ErrCycle
	}
	return err
}

// holds reports whether a model is among others, or among what they hold.
func holds(ctx context.Context, q *dbsqlc.Queries, held []string, modelID string) (bool, error) {
	if slices.Contains(held, modelID) {
		return true, nil
	}
	edges, err := below(ctx, q, held)
	return slices.ContainsFunc(edges, func(e program.Membership) bool { return e.MemberID == modelID }), err
}

// keepServing lets a model serve what it served before, when work on it has ended
// without a result. It then settles the model and its holders, which may have waited
// for that work.
func (db *DB) keepServing(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, warning string) error {
	if err := q.EndModelWork(ctx, dbsqlc.EndModelWorkParams{ID: model.ID, Most: mostFailures, Warning: warning, Now: stamp(db.now())}); err != nil {
		return err
	}
	if err := db.settle(ctx, tx, q, model.ID); err != nil {
		return err
	}
	return db.settleAbove(ctx, tx, q, model.ID)
}

// completion returns what a publication writes into its run, and its usage.
func completion(p *program.Publication) (dbsqlc.CompleteRunParams, []byte, error) {
	memberList := p.Members
	if memberList == nil {
		memberList = []program.Member{}
	}
	members, merr := encode(&memberList)
	summary, serr := encode(p.Summary)
	if p.Answer != nil {
		summary, serr = encode(p.Answer)
	}
	usage, uerr := encode(&p.Usage)
	tables, terr := encode(&p.Tables)
	finished := stamp(p.FinishedAt)
	return dbsqlc.CompleteRunParams{
		ID: p.RunID, HarnessVersion: p.HarnessVersion, DataVersion: p.DataVersion, Members: members, Summary: summary, Usage: usage,
		ResultHash: p.ResultHash, Tables: tables, TablesBytes: p.Tables.Bytes(),
		Base: toDate(p.Base), FirstDate: toDate(p.First), LastDate: toDate(p.Last), FinishedAt: &finished,
		Strategy: p.Strategy, Sharpe: numberOrNull(p.Figures.Figure("sharpe")),
	}, usage, errors.Join(merr, serr, uerr, terr)
}

// lockUnended locks a run and, before it, its model. It returns nil if the run has
// ended or was deleted.
func lockUnended(ctx context.Context, q *dbsqlc.Queries, runID string) (*dbsqlc.UnendedRow, error) {
	if _, err := q.LockUnended(ctx, runID); absent(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	found, err := q.Unended(ctx, runID)
	return &found, err
}

// heldModels returns the distinct models among members.
func heldModels(members []program.Member) []string {
	seen := map[string]bool{}
	ids := []string{}
	for _, m := range members {
		if m.Kind == program.MemberModel && !seen[m.ID] {
			seen[m.ID] = true
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// movedOn reports whether a member model serves a run other than the one that was
// read.
func movedOn(pinned []program.Member, now []dbsqlc.LockMembersRow) bool {
	live := make(map[string]string, len(now))
	for _, r := range now {
		live[r.ID] = orEmpty(r.LiveRunID)
	}
	for _, m := range pinned {
		if m.Kind == program.MemberModel && live[m.ID] != m.RunID {
			return true
		}
	}
	return false
}

// serve makes a model serve the run, and queues the refreshes of the models that hold it.
func (db *DB) serve(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, p *program.Publication) error {
	if program.Source(run.Source).Builds() && model.Kind == program.KindModel {
		if err := approve(ctx, q, model, run, p); err != nil {
			return err
		}
	}
	if err := db.install(ctx, q, model, run, p); err != nil {
		return err
	}
	return db.cascade(ctx, tx, q, model.ID)
}

// install makes the model serve the run, with the build's implementation.
func (db *DB) install(ctx context.Context, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, p *program.Publication) error {
	now := dbsqlc.ServeRunParams{
		ID: run.ProgramID, Depth: int32(p.Depth), BuildID: run.BuildID, LiveRunID: run.ID,
		IsRoutine: program.Source(run.Source).Routine(), ResultHash: p.ResultHash, RunSeconds: int32(p.Usage.Seconds), Warning: joined(storable(p.Warning), lasting(model, run)), Now: stamp(db.now()),
	}
	if i := p.Identity; i != nil {
		now.IsBuild, now.Name, now.Symbol, now.Description = true, storable(i.Name), i.Symbol, storable(i.Description)
		now.Prompt, now.StartRule = storable(i.Prompt), i.StartRule
		if i.Yields && model.OwnName {
			now.Name = ""
		}
		if i.Yields && model.OwnSymbol {
			now.Symbol = ""
		}
		used, err := q.SymbolsInUse(ctx, dbsqlc.SymbolsInUseParams{AccountID: model.AccountID, Symbols: []string{now.Symbol}})
		if err != nil {
			return err
		}
		if len(used) > 0 && used[0].ID != model.ID {
			now.Symbol = ""
			taken := fmt.Sprintf("The script's SYMBOL %s was taken by another model while this one was built, so this one keeps %s.", i.Symbol, model.Symbol)
			now.Warning = joined(now.Warning, taken)
		}
	}
	if err := q.ServeRun(ctx, now); err != nil {
		return err
	}
	held := heldModels(p.Members)
	if err := q.DeleteMemberships(ctx, dbsqlc.DeleteMembershipsParams{HolderID: run.ProgramID, Held: held}); err != nil {
		return err
	}
	if len(held) == 0 {
		return nil
	}
	pinned := make([]string, len(held))
	for i, memberID := range held {
		pinned[i] = pinnedRun(p.Members, memberID)
	}
	return q.KeepMemberships(ctx, dbsqlc.KeepMembershipsParams{HolderID: run.ProgramID, MemberIds: held, RunIds: pinned})
}

// pinnedRun returns the run that was read of a member model.
func pinnedRun(members []program.Member, modelID string) string {
	for _, m := range members {
		if m.ID == modelID {
			return m.RunID
		}
	}
	return ""
}

// repeat queues fresh runs with the builds and inputs of the given runs.
func (db *DB) repeat(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, runIDs []string, source program.Source) error {
	fresh := make([]string, len(runIDs))
	for i := range fresh {
		fresh[i] = id.New(id.Run)
	}
	if err := q.RepeatRuns(ctx, dbsqlc.RepeatRunsParams{
		Ids: fresh, RunIds: runIDs, Source: string(source), Now: stamp(db.now()),
	}); err != nil {
		return err
	}
	return db.enqueue(ctx, tx, jobs.RunQueue, fresh...)
}

// FailRun ends a run as failed, and its build and model if they depend on it. A model
// that serves a result continues to serve it, with a warning.
func (db *DB) FailRun(ctx context.Context, runID string, e program.Ending) error {
	failure, ferr := encode(&e.Failure)
	usage, uerr := encode(&e.Usage)
	causality, cerr := encode(e.Causality)
	if err := errors.Join(ferr, uerr, cerr); err != nil {
		return err
	}
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		found, err := lockUnended(ctx, q, runID)
		if err != nil || found == nil {
			return err
		}
		model, run := &found.WholeProgram, &found.Run
		now := stamp(db.now())
		if err := q.FailRun(ctx, dbsqlc.FailRunParams{ID: run.ID, Failure: failure, Usage: usage, Now: &now}); err != nil {
			return err
		}
		if program.Source(run.Source).Builds() {
			if err := q.EndBuild(ctx, dbsqlc.EndBuildParams{
				ID: run.BuildID, Status: string(program.RunFailed), Failure: failure, Usage: usage, Causality: causality, Now: &now,
			}); err != nil {
				return err
			}
		}
		if run.Publishes {
			if err := db.failModel(ctx, tx, q, model, run, e, failure); err != nil {
				return err
			}
		}
		if err := db.tellFailed(ctx, tx, q, model, run, e.Failure); err != nil {
			return err
		}
		outcome := billing.Done
		if e.Failure.Type == program.FailureInternal {
			outcome = billing.Broken
		}
		if err := db.charge(ctx, tx, q, found, e.Usage, outcome); err != nil {
			return err
		}
		if !awaited(run) {
			return nil
		}
		return q.NotifyRunEnded(ctx, run.ID)
	})
	return wrap(err, "fail run %s", runID)
}

// rebuildFailed is the prefix of the warning about a failed rebuild.
const rebuildFailed = "The last rebuild failed, and the implementation before it is served: "

// lasting returns the part of a model's warning, at its end, that reports a failed
// rebuild. It stays until another build, whatever the runs in between report.
func lasting(model *dbsqlc.WholeProgram, run *dbsqlc.Run) string {
	if i := strings.Index(model.Warning, rebuildFailed); i >= 0 && !program.Source(run.Source).Builds() {
		return model.Warning[i:]
	}
	return ""
}

// joined merges two warnings.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// failModel ends the work on a model whose run has failed.
func (db *DB) failModel(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, e program.Ending, failure []byte) error {
	now, message := stamp(db.now()), storable(e.Failure.Message)
	source := program.Source(run.Source)
	switch {
	case model.LiveRunID == nil:
		return q.EndModelWork(ctx, dbsqlc.EndModelWorkParams{ID: model.ID, Most: mostFailures, Failure: failure, Now: now})
	case source == program.SourcePromote:
		return db.keepServing(ctx, tx, q, model, "The last promotion failed, and the defaults before it are served: "+message)
	case source.Builds():
		return db.keepServing(ctx, tx, q, model, rebuildFailed+message)
	case run.BuildID != model.BuildID:
		// The failed run belongs to an implementation that is no longer served.
		if err := q.MarkDue(ctx, []string{model.ID}); err != nil {
			return err
		}
		return db.keepServing(ctx, tx, q, model, model.Warning)
	}
	warning := "The last default run failed, and the result before it is served: " + message
	if !source.Routine() && model.Refresh == "" {
		return db.keepServing(ctx, tx, q, model, warning)
	}
	err := q.FailRefresh(ctx, dbsqlc.FailRefreshParams{
		ID: model.ID, Most: mostFailures, Unfunded: e.Failure.Type == program.FailureUnfunded, Warning: warning, LastError: message, NextRetry: e.NextRetry, Now: &now,
	})
	if err != nil {
		return err
	}
	return db.settleAbove(ctx, tx, q, model.ID)
}

// mostFailures is how many refreshes in a row may fail before a model is paused.
const mostFailures = 5
