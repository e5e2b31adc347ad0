package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ballast/operate/doctor"
	"ballast/program/result"
	"ballast/service"
	"ballast/timeseries/bars"
)

func doctorCommand() *cobra.Command {
	c := service.Default()
	c.Log.Level = "warn"
	var fix, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation: database, bucket, queue, models, ledger, sandbox, machine",
		Long: `Reports what is wrong and what to do about it. The exit code is 1 if something must
be fixed. It may run beside the service.

--fix repairs what can be repaired without loss: it deletes files that nothing refers
to, queues stuck work again, and computes wrong figures again from their results.`,
		Example: `  ballast doctor --data-dir data
  ballast doctor --fix
  ballast doctor --json | jq '.findings[] | select(.fixed | not)'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := examine(cmd.Context(), c, fix, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			write := writeReport
			if asJSON {
				write = writeReportJSON
			}
			if err := write(cmd.OutOrStdout(), report); err != nil {
				return err
			}
			if !report.Sound() {
				return exitCode(1)
			}
			return nil
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	service.Bind(cmd.Flags(), &c.Sandbox, c.Operation.Sweep())
	cmd.Flags().BoolVar(&fix, "fix", false, "repair what can be repaired without loss")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

// examine looks at the installation as it is, without migrating it.
func examine(ctx context.Context, c service.Config, fix bool, errs io.Writer) (report *doctor.Report, err error) {
	log, err := service.NewLogger(c.Log, errs)
	if err != nil {
		return nil, err
	}
	s, err := service.OpenAsIs(ctx, c, log, service.SharedDatabase)
	if err != nil {
		return nil, fmt.Errorf("the database or the bucket cannot be opened: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	results, err := s.Results(c)
	if err != nil {
		return nil, err
	}
	m := newMeter(errs, "examining")
	report = doctor.Examine(ctx, checks(c, s, results, m, log), fix)
	m.end(ctx.Err())
	return report, ctx.Err()
}

// checks starts with the checks of the database, because the others depend on it.
func checks(c service.Config, s *service.Storage, results *result.Store, m *meter, log *slog.Logger) []doctor.Check {
	objects := 0
	inventory := &doctor.Inventory{
		Bucket: s.Bucket, Objects: s.DB, Prefixes: []string{result.Prefix, bars.Prefix}, Grace: c.Operation.SweepGrace, Now: time.Now,
		Progress: func(n int) {
			objects += n
			m.setOpenCount(0, 1, objects, 1000, fmt.Sprintf("%d objects", objects))
		},
		Sweep: func(ctx context.Context) error {
			grace := c.Operation.SweepGrace
			return errors.Join(service.ResultSweeper(s, grace, log).Sweep(ctx), service.BarSweeper(s, grace, log).Sweep(ctx))
		},
	}
	return append(s.DB.Checks(),
		doctor.Bucket(s.Bucket), inventory.Missing(), inventory.Orphans(),
		service.FigureCheck(s, results, log), service.SegmentCheck(s, c.Operation.SweepGrace, log), sandboxCheck(c, s.Temporary), doctor.Disk(c.Storage.DataDir))
}

// sandboxCheck starts one process for runs and one for SQL, and reads their guards.
func sandboxCheck(c service.Config, temporary string) doctor.Check {
	return doctor.Check{Name: "sandbox", Look: func(ctx context.Context) (findings []doctor.Finding, err error) {
		missing, strict, err := service.MissingGuards(ctx, c, temporary)
		for _, guard := range missing {
			findings = append(findings, doctor.Finding{
				Subject: guard, Message: "this kernel does not offer the guard", Notice: !strict,
				Advice: "use a newer kernel, or allow the guard in the container; docs/sandbox.md says what each guard protects",
			})
		}
		return findings, err
	}}
}

func writeReportJSON(w io.Writer, r *doctor.Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// writeReport prints one line per check, then the findings.
func writeReport(w io.Writer, r *doctor.Report) error {
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	fmt.Fprintln(t, "CHECK\tRESULT")
	for _, o := range r.Checks {
		fmt.Fprintf(t, "%s\t%s\n", o.Check, findingText(o))
	}
	if err := t.Flush(); err != nil || len(r.Findings) == 0 {
		return err
	}
	fmt.Fprintln(t, "\nCHECK\tWHAT\tFINDING\tSTATE\tWHAT TO DO")
	for _, f := range r.Findings {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", f.Check, f.Subject, oneLineOf(f.Message), state(f), f.Advice)
	}
	return t.Flush()
}

func findingText(o doctor.Outcome) string {
	switch {
	case o.Skipped:
		return "skipped: an earlier check must pass first"
	case o.Failed != "":
		return "failed: " + oneLineOf(o.Failed)
	case o.Findings > 0:
		return fmt.Sprintf("%d found", o.Findings)
	}
	return "ok"
}

func state(f doctor.Finding) string {
	switch {
	case f.Fixed:
		return "fixed"
	case f.Notice:
		return "notice"
	case f.Fixable:
		return "to fix (--fix)"
	}
	return "to fix"
}

func oneLineOf(text string) string { return strings.Join(strings.Fields(text), " ") }
