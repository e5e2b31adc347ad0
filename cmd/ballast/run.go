package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ballast/internal/fault"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/service"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

func runCommand() *cobra.Command {
	r := &localRun{config: service.Default()}
	r.config.Log.Level, r.config.Workers.Sandboxes = "warn", 1
	cmd := &cobra.Command{
		Use:   "run SCRIPT | run DESCRIPTION | run --verify RUN_ID",
		Short: "Run a script or a description over files of bars, without a server; or verify a stored run",
		Long: `Runs one script, or a description in plain English, over the bars of files (CSV, gzip CSV or Parquet), in the same
sandbox and engine as the service: a model is backtested and its metrics are
printed, of a simulation or an analysis the main numbers. Nothing is stored unless --out names a
folder. Members are the symbols in the files. Of a description the built-in
grammar writes the script, and what it understood is printed first.

With --verify, a run of the service is carried out again, on the bars and the
members' runs that it read, and its result is compared; the exit code is 1 if it
differs.`,
		Example: `  ballast run model.py --bars prices.csv.gz
  ballast run "60/40 SPY/AGG, quarterly" --bars prices.csv.gz
  ballast run DAA --bars prices.csv.gz
  ballast run --verify run_0192f3a4b5c67d8e9f0a1b2c3d4e5f60 --data-dir data
  ballast run model.py --bars a.csv,b.parquet --input lookback=126 --out result
  ballast run model.py --bars prices.csv --series CURVE=curve.csv --lag CURVE=1
  ballast run model.py --bars prices.csv --optimizers lowvol.json
  ballast run examples/simulations/four_percent.py --bars prices.csv.gz --input years=40`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.out, r.errs = cmd.OutOrStdout(), cmd.ErrOrStderr()
			if err := checkRiskFree(r.riskFree); err != nil {
				return err
			}
			if r.verify != "" {
				return verify(cmd, r)
			}
			if len(args) == 0 || len(r.files) == 0 {
				return usage("give a script or a description, and --bars with the files of bars, or --verify with the id of a run")
			}
			r.path = args[0]
			return r.run(cmd.Context())
		},
	}
	r.register(cmd.Flags())
	return cmd
}

func (r *localRun) register(f *pflag.FlagSet) {
	f.StringSliceVar(&r.files, "bars", nil, "files of bars")
	r.fileOptions.register(f)
	f.StringArrayVar(&r.series, "series", nil, "file of a series from outside as NAME=FILE, CSV with fractions; may be repeated")
	f.StringArrayVar(&r.kinds, "kind", nil, "what the values of a series are, as NAME=KIND: return, rate (annual) or index; return if left out")
	f.StringArrayVar(&r.lags, "lag", nil, "publication lag of a series as NAME=SESSIONS; 0 if left out")
	f.StringArrayVar(&r.inputs, "input", nil, "an input as name=value, value in JSON or plain text; may be repeated")
	f.StringVar(&r.optimizers, "optimizers", "", "file of the optimizers that a model uses, in JSON as the service returns them, or a folder of such files")
	f.StringVar(&r.folder, "out", "", "folder to write the result's tables to, each as a Parquet file (a model's are daily and ledger)")
	f.BoolVar(&r.json, "json", false, "print the metrics of a model, or the whole result of a simulation or an analysis, as JSON")
	f.Float64Var(&r.riskFree, "risk-free", 0, "annual risk-free rate for the metrics, as a fraction")
	f.StringVar(&r.benchmark, "benchmark", "", "symbol in the files that the metrics compare with")
	f.StringVar(&r.verify, "verify", "", "id of a stored run to carry out again and compare")
	service.Bind(f, r.config.ForStorage()...)
	service.Bind(f, &r.config.Sandbox)
}

// checkRiskFree accepts the same annual rates as the service.
func checkRiskFree(rate float64) error {
	switch {
	case rate > 1:
		return usage("--risk-free: %v is more than 1; rates are fractions: 0.04 is 4 %%", rate)
	case !(rate > -1): // also catches NaN
		return usage("--risk-free: %v is not an annual rate; accepted are fractions above -1 and up to 1: 0.04 is 4 %%", rate)
	}
	return nil
}

// localRun is one backtest without a server.
type localRun struct {
	config service.Config
	path   string
	files  []string
	series []string // files of series, each as NAME=FILE or FILE
	lags   []string // each as NAME=SESSIONS
	kinds  []string // each as NAME=KIND

	fileOptions fileOptions

	inputs     []string
	optimizers string // file or folder of optimizers
	folder     string
	json       bool
	riskFree   float64
	benchmark  string
	verify     string
	out, errs  io.Writer
}

func (r *localRun) run(ctx context.Context) (err error) {
	show := newMeter(r.errs, "run")
	defer func() { show.end(err) }()
	source, err := r.source(ctx, show)
	if err != nil {
		return err
	}
	p, problems := service.Kinds.Check(source, nil)
	if len(problems) > 0 {
		printProblems(r.errs, r.path, source, problems)
		return exitCode(1)
	}
	if name := p.SweepFunction(); name != "" {
		return usage("%s calls %s, which needs the account's models: create it with POST /v1/analyses on a running service", r.path, name)
	}
	if p.Kind == script.Optimizer {
		return usage("%s is an optimizer, which models use and which does not run by itself; give a model", r.path)
	}
	if p.Kind != script.Model && (r.benchmark != "" || r.riskFree != 0) {
		return usage("--benchmark and --risk-free are for the metrics of a model; %s is %s: leave them out", r.path, script.WithArticle(p.Kind.Name))
	}
	optimizers, err := optimizersFor(p, r.optimizers)
	if err != nil {
		return err
	}
	values, err := parseInputs(r.inputs)
	if err != nil {
		return err
	}
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		return inputProblems(details)
	}
	if r.path == fromWords && !r.json {
		fmt.Fprintf(r.out, "%s\n\n", strings.TrimSpace(p.Description))
	}
	market, err := r.market(ctx, append(slices.Clone(inputs.Universe()), r.benchmark), show)
	if err != nil {
		return err
	}
	if slices.Equal(inputs.Universe(), p.Universe) { // the script's own universe, whose problems have a place in the script
		if _, problems := service.Kinds.Check(source, market); len(problems) > 0 {
			show.end(exitCode(1))
			printProblems(r.errs, r.path, source, problems)
			return exitCode(1)
		}
	}
	frame, err := market.frame(inputs.Universe())
	if err != nil {
		return err
	}
	if err := market.place(p, inputs, frame); err != nil {
		return err
	}
	outcome, err := r.execute(ctx, p, source, inputs, frame, optimizers, show)
	if err != nil {
		return err
	}
	defer outcome.Release()
	if err := r.write(outcome); err != nil {
		return err
	}
	if p.Kind != script.Model {
		return r.reportAnswer(p, outcome)
	}
	return r.report(p, outcome, frame, market)
}

// execute runs the script in its own sandbox.
func (r *localRun) execute(ctx context.Context, p *script.Script, source string, inputs script.Inputs, frame *timeseries.Frame, optimizers map[string]json.RawMessage, show *meter) (_ *sandbox.Outcome, err error) {
	log, err := service.NewLogger(r.config.Log, r.errs)
	if err != nil {
		return nil, err
	}
	pool, err := service.NewSandboxes(ctx, r.config, log, prometheus.NewRegistry())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	does := "backtest"
	if p.Kind != script.Model {
		does = p.Kind.EntryPoint
	}
	show.set(readShare, does)
	outcome, err := pool.Run(ctx, sandbox.Job{Kind: p.Kind.Name, Source: source, Inputs: inputs.Map(), Frame: frame, Optimizers: optimizers, Progress: func(_ sandbox.Stage, done, total int) {
		show.set(readShare+(1-readShare)*float64(done)/float64(max(total, 1)), does)
	}})
	show.end(err)
	var failed *script.RunError
	if errors.As(err, &failed) {
		place := r.path
		if failed.Line > 0 {
			place += fmt.Sprintf(":%d", failed.Line)
		}
		if failed.Date != "" {
			place += " on " + failed.Date
		}
		fmt.Fprintf(r.errs, "%s: %s: %s\n", place, failed.Type, failed.Message)
		if failed.Traceback != "" {
			fmt.Fprintln(r.errs, failed.Traceback)
		}
		return nil, exitCode(1)
	}
	return outcome, err
}

// write writes the result tables, if a folder is given.
func (r *localRun) write(outcome *sandbox.Outcome) error {
	if r.folder == "" {
		return nil
	}
	if err := os.MkdirAll(r.folder, 0o755); err != nil {
		return err
	}
	for _, t := range outcome.Tables {
		name := t.Name + ".parquet"
		f, err := os.Create(filepath.Join(r.folder, name))
		if err != nil {
			return err
		}
		if err := errors.Join(columnar.WriteParquet(f, t.Record, columnar.WriteOptions{}), f.Close()); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}

// parseInputs parses name=value, where value is JSON or, failing that, text.
func parseInputs(pairs []string) (map[string]any, error) {
	values := map[string]any{}
	for _, pair := range pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, usage("input %q: write it as name=value", pair)
		}
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			v = text
		}
		values[name] = v
	}
	return values, nil
}

func inputProblems(details []fault.Detail) error {
	problems := make([]error, len(details))
	for i, d := range details {
		text := "input " + strings.TrimPrefix(d.Field, "inputs.") + " " + d.Message
		switch {
		case d.Suggestion != "":
			text += "; did you mean " + d.Suggestion + "?"
		case len(d.Accepted) > 0:
			text += "; accepted: " + strings.Join(d.Accepted, ", ")
		}
		problems[i] = errors.New(text)
	}
	return &usageError{err: errors.Join(problems...)}
}
