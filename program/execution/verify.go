package execution

import (
	"context"
	"fmt"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// Verified is the comparison of a run with its repetition.
type Verified struct {
	RunID          string `json:"run_id"`
	Same           bool   `json:"same"`
	Stored         string `json:"stored"` // hash of the stored result
	Now            string `json:"now"`
	HarnessVersion string `json:"harness_version"` // version that the run was made with
	Current        string `json:"current"`         // version that it was repeated with
}

// Verify carries out a complete run again, on the bars and the members' runs that it
// read, and compares the results. Nothing is stored.
func (e *Executor) Verify(ctx context.Context, ref string) (*Verified, error) {
	runID, ok := id.Parse(id.Run, ref)
	if !ok {
		return nil, fault.Missing("run", ref)
	}
	run, err := e.programs.Run(ctx, runID)
	if err != nil {
		return nil, err
	}
	if run.Status != program.RunComplete {
		return nil, fault.New(fault.RunIncomplete, "The run is %s, so there is no result to compare with.", run.Status)
	}
	job, err := e.repeatedJob(ctx, run)
	if err != nil {
		return nil, err
	}
	outcome, err := e.sandbox.Run(ctx, job)
	if err == nil && outcome.Wants != nil {
		c := &computation{members: &members{pinned: run.Members}, frame: job.Frame}
		outcome, err = e.withSweeps(ctx, run, c, job, outcome, &progressWriter{}, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s again: %w", run.ID, err)
	}
	defer outcome.Release()
	hash, err := result.Hash(outcome.Records()...)
	if err != nil {
		return nil, err
	}
	return &Verified{
		RunID: run.ID, Same: hash == run.ResultHash, Stored: run.ResultHash, Now: hash,
		HarnessVersion: run.HarnessVersion, Current: script.HarnessVersion,
	}, nil
}

// repeatedJob returns the job that computes a complete run once more, on the bars and the
// members' runs that it read.
func (e *Executor) repeatedJob(ctx context.Context, run *program.Run) (sandbox.Job, error) {
	build, err := e.programs.Build(ctx, run.BuildID)
	if err != nil {
		return sandbox.Job{}, err
	}
	p, err := program.CheckedScript(e.kinds, build)
	if err != nil {
		return sandbox.Job{}, err
	}
	inputs, err := program.BoundInputs(p, run)
	if err != nil {
		return sandbox.Job{}, err
	}
	frame, err := e.pinnedFrame(ctx, run, p.Kind)
	if err != nil {
		return sandbox.Job{}, err
	}
	if p.ReadsHoldings() {
		if err := e.holdings(ctx, run.Members, frame, p.ReadsLedger()); err != nil {
			return sandbox.Job{}, err
		}
	}
	definitions, err := e.usedRules(ctx, run)
	if err != nil {
		return sandbox.Job{}, err
	}
	return sandbox.Job{Account: run.AccountID, Kind: p.Kind.Name, Optimizers: definitions, Source: build.Script, Inputs: inputs.Map(), Frame: frame, Limits: e.limits}, nil
}

// pinnedFrame returns what a run has read as the frame that its script saw.
func (e *Executor) pinnedFrame(ctx context.Context, run *program.Run, kind *script.Kind) (*timeseries.Frame, error) {
	sources, err := e.pinned(ctx, run)
	if err != nil {
		return nil, err
	}
	frame, err := timeseries.Align(sources)
	if err != nil {
		return nil, fmt.Errorf("align the members of run %s: %w", run.ID, err)
	}
	return frame, e.repin(ctx, run, kind, frame)
}

// pinned reads the returns of the members that a run read.
func (e *Executor) pinned(ctx context.Context, run *program.Run) ([]timeseries.Source, error) {
	var assets []string
	version := int64(0)
	for _, m := range run.Members {
		if m.Kind == program.MemberAsset {
			assets = append(assets, m.ID)
			version = max(version, m.BarsVersion, m.Backfill.LatestBars())
		}
	}
	series := map[string]timeseries.Series{}
	var err error
	if len(assets) > 0 {
		if series, err = e.bars.Load(ctx, assets, version); err != nil {
			return nil, fmt.Errorf("load bars: %w", err)
		}
	}
	sources := make([]timeseries.Source, len(run.Members))
	for i, m := range run.Members {
		sources[i] = timeseries.Source{Key: m.Key, Series: series[m.ID], SevenDay: m.SevenDay, Delisted: m.Delisted}
		if m.Kind == program.MemberAsset {
			if sources[i].Series, err = e.respliced(ctx, &m, sources[i].Series, version); err != nil {
				return nil, err
			}
			continue
		}
		read, err := e.programs.Run(ctx, m.RunID)
		if err != nil {
			return nil, fmt.Errorf("read the run of member %s: %w", m.Key, err)
		}
		if sources[i].Series, _, err = e.results.Series(ctx, read); err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// respliced puts before an asset's bars the version of its backfill that a run read.
func (e *Executor) respliced(ctx context.Context, m *program.Member, own timeseries.Series, version int64) (timeseries.Series, error) {
	if m.Backfill == nil {
		return own, nil
	}
	b, err := e.backfilled.BackfillVersion(ctx, m.Backfill.ID, m.Backfill.Version)
	if err != nil {
		return own, fmt.Errorf("read the backfill of member %s: %w", m.Key, err)
	}
	series, _, err := e.splicer.Before(ctx, b, own, m.SevenDay, version)
	return series, err
}
