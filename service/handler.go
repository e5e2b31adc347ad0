package service

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/api"
	"ballast/api/web"
	"ballast/catalog"
	"ballast/catalog/screen"
	"ballast/catalog/series"
	"ballast/export"
	"ballast/notify/webhook"
	"ballast/program"
	"ballast/program/backfills"
	"ballast/program/execution"
	"ballast/program/generate/grammar"
	"ballast/program/history"
	"ballast/program/optimizers"
	"ballast/program/result"
	"ballast/program/shares"
)

// Version is the version of the interface document.
const Version = "1.0.0"

// exportsAtOnce limits the exports in progress, each of which takes about 35 MB.
const exportsAtOnce = 8

// Parts are what the REST interface needs besides the storage.
type Parts struct {
	Results  *result.Store
	Loads    execution.Loads    // nil: missing bars are not loaded
	Shifts   history.Shifter    // nil: timing reports are refused
	Paths    result.Paths       // nil: single paths of simulations are refused
	Scripts  optimizers.Scripts // nil: optimizers that are scripts are not solved
	Webhooks webhook.Rules
	Queries  *Queries // nil: no SQL
	Limits   api.Limits
	Signin   api.Signin
	Metrics  *prometheus.Registry
	Logger   *slog.Logger
}

// NewHandler creates the REST interface of a service that stops when ctx is done: then it
// is no longer ready, requests do not wait for runs any more, and the goroutine that reads
// the catalog ends.
func NewHandler(ctx context.Context, c Config, s *Storage, p Parts) (http.Handler, error) {
	splicer := backfills.NewSplicer(s.DB, s.Bars, p.Results)
	index := screen.NewIndex(s.DB, screen.Config{Logger: p.Logger})
	go func() { _, _ = index.Snapshot(ctx) }() // so that the first caller does not wait for it; failures are logged
	assets := catalog.NewService(s.DB, s.Bars, index, p.Loads, splicer)
	words := grammar.New()
	programs := program.New(program.Config{
		Known: Kinds, Stores: s.DB.ProgramStores(), Assets: s.DB, Sessions: p.Results,
		Grammar: words, Optimizers: words, LanguageModel: c.Generator.Name != grammarAlone,
		DailyRunLimit: c.Limits.DailyRuns, Wait: waitLimit, Stopping: ctx.Done(), Logger: p.Logger,
	})
	simulations := program.New(program.Config{
		Kind: SimulationKind, Stores: s.DB.ProgramStores(), Assets: s.DB, Sessions: p.Results,
		Grammar:       words,
		DailyRunLimit: c.Limits.DailyRuns, Wait: waitLimit, Stopping: ctx.Done(), Logger: p.Logger,
	})
	analyses := program.New(program.Config{
		Kind: AnalysisKind, Stores: s.DB.ProgramStores(), Assets: s.DB, Sessions: p.Results,
		Grammar:       words,
		DailyRunLimit: c.Limits.DailyRuns, Wait: waitLimit, Stopping: ctx.Done(), Logger: p.Logger,
	})
	histories := history.New(history.Config{
		Models: programs.Models, Runs: programs.Runs, Store: s.DB, Trials: s.DB, Assets: s.DB,
		Benchmarks: assets, Results: p.Results, Shifts: p.Shifts,
	})
	backfills := backfills.New(backfills.Config{Store: s.DB, Members: s.DB, Assets: s.DB, Splicer: splicer, Logger: p.Logger})
	rules := optimizers.New(optimizers.Config{
		Store: s.DB, Members: s.DB, Assets: s.DB, Bars: s.Bars, Splicer: splicer, Results: p.Results, Scripts: p.Scripts, Logger: p.Logger,
	})
	linked := program.Linked{Models: programs.Models, Runs: programs.Runs}
	links := shares.New(shares.Config{Store: s.DB, Viewing: s.DB, Models: programs.Models, Runs: programs.Runs, Logger: p.Logger, Stopping: ctx})
	outside := series.New(s.DB, p.Logger, nil)
	endpoints := webhook.NewService(s.DB, s.DB, p.Webhooks, time.Now)
	return api.New(api.Config{
		Models:           programs.Models,
		Builder:          programs.Builder,
		Builds:           programs.Models,
		Runs:             programs.Runs,
		RunChanges:       programs.Runs,
		Drafts:           programs.Drafts,
		Revisions:        programs.Drafts,
		Trash:            programs.Trash,
		Simulations:      family(simulations, p.Results, p.Paths),
		Analyses:         family(analyses, p.Results, nil),
		Studies:          s.DB,
		Histories:        histories,
		Catalog:          assets,
		Backfills:        backfills,
		BackfilledAssets: backfills,
		Optimizers:       rules,
		OptimizerAnswers: rules,
		Series:           outside,
		SeriesColumns:    outside,
		Exports:          s.exports(programs, simulations, analyses, histories, exportsAtOnce),
		Queries:          p.queries(),
		Credentials:      s.DB,
		Accounts:         s.DB,
		Keys:             s.DB,
		Sessions:         s.DB,
		SignIns:          s.DB,
		Billing:          s.DB,
		Policy:           s.Policy,
		Shares:           links,
		Linked: web.Linked{Shares: links, Models: linked, Runs: linked, Histories: history.New(history.Config{
			Models: linked, Runs: linked, Store: s.DB, Trials: s.DB, Assets: s.DB, Benchmarks: assets, Results: p.Results,
		})},
		Webhooks:    endpoints,
		Deliveries:  endpoints,
		Idempotency: s.DB,
		Ready:       map[string]api.Check{"database": s.DB.Ping, "service": serving(ctx)},
		NextRefresh: c.Refresh.next(),
		PublicURL:   strings.TrimSuffix(c.HTTP.PublicURL, "/"),
		Origins:     c.HTTP.Origins,
		Version:     Version,
		Limits:      p.Limits,
		Signin:      p.Signin,
		Audit:       s.DB,
		Logger:      p.Logger,
		Registerer:  p.Metrics,
		Gatherer:    c.HTTP.publicMetrics(p.Metrics),
	})
}

// serving fails when the service stops, so that a load balancer sends requests elsewhere.
func serving(ctx context.Context) api.Check {
	return func(context.Context) error {
		if ctx.Err() != nil {
			return errors.New("the service is stopping")
		}
		return nil
	}
}

// family returns the services of a kind whose results are tables. paths is nil for a kind
// without paths.
func family(of *program.Services, results *result.Store, paths result.Paths) api.Family {
	return api.Family{
		Programs: of.Models, Builder: of.Builder, Builds: of.Models, Runs: of.Runs, Changes: of.Runs, Trash: of.Trash,
		Results: &result.Answers{Programs: of.Models, Runs: of.Runs, Results: results, Paths: paths},
	}
}

// queries returns nil if SQL is off. A nil *Queries in the interface would not equal
// nil.
func (p Parts) queries() api.Queries {
	if p.Queries == nil {
		return nil
	}
	return p.Queries
}

// Exports returns the exports for a command. There is no limit on concurrent exports,
// because a command runs only one.
func (s *Storage) Exports(results *result.Store) *export.Service {
	programs := program.New(program.Config{Stores: s.DB.ProgramStores(), Assets: s.DB, Sessions: results, Logger: slog.New(slog.DiscardHandler)})
	of := func(kind *program.Kind) *program.Services {
		return program.New(program.Config{Kind: kind, Stores: s.DB.ProgramStores(), Assets: s.DB, Sessions: results, Logger: slog.New(slog.DiscardHandler)})
	}
	histories := history.New(history.Config{Models: programs.Models, Runs: programs.Runs, Store: s.DB, Trials: s.DB, Assets: s.DB, Results: results})
	return s.exports(programs, of(SimulationKind), of(AnalysisKind), histories, 0)
}

// exports returns the exports, of which at most atOnce run at the same time; 0 is no
// limit.
func (s *Storage) exports(programs, simulations, analyses *program.Services, histories export.Histories, atOnce int) *export.Service {
	return export.NewService(export.Config{
		Assets: s.DB, Bars: s.DB, RunPages: s.DB, Models: programs.Models, Runs: programs.Runs,
		Programs:  map[string]export.ModelReader{SimulationKind.Name: simulations.Models, AnalysisKind.Name: analyses.Models},
		Histories: histories, Symbols: s.DB, Bucket: s.Bucket, AtOnce: atOnce,
	})
}

// shifts repeats runs on shifted schedules, for timing reports.
func (p *process) shifts(c Config) (*execution.Shifts, error) {
	return execution.NewShifts(execution.ShiftsConfig{
		Executor: p.work.executor, Reports: p.storage.DB, Parallel: c.Workers.Sandboxes - 1,
		Deadline: c.Sandbox.Deadline, DailyRunLimit: c.Limits.DailyRuns, Logger: p.log,
	})
}
