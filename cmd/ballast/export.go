package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ballast/catalog"
	"ballast/export"
	"ballast/program"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// exporting is what the command line of an export says.
type exporting struct {
	config                            Config
	out, format, partition            string
	account                           string
	symbols, models, runs             []string
	start, end                        string
	assetType, query, status, sources string
	delisted                          bool
}

func exportCommand() *cobra.Command {
	e := &exporting{config: defaultConfig()}
	e.config.LogLevel = "warn"
	cmd := &cobra.Command{
		Use:   "export TABLE",
		Short: "Write a whole table: assets, bars, returns, allocations or runs",
		Long: `Writes a table as Parquet, an Arrow stream or CSV, to a file, a folder or a bucket,
with the columns and filters of /v1/exports. A file is there when it is whole.

With --partition the table is divided into folders year=… or symbol=…, as Hive
has them, and an empty file _SUCCESS is written last; a folder is there when all
of it is.`,
		Example: `  ballast export bars --out bars.parquet
  ballast export bars --out bars --partition symbol --start-date 2020-01-01
  ballast export returns --account acme --model SIXTY-FORTY --out returns.csv
  ballast export bars --partition year --out 's3://models/bars?region=eu-central-1'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(export.Tables, export.Table(args[0])) {
				return nil
			}
			tables := strings.Join(texts(export.Tables), ", ")
			if len(args) == 1 {
				return fmt.Errorf("there is no table %q to export; name one of %s", args[0], tables)
			}
			return fmt.Errorf("name one table to export: %s", tables)
		},
		ValidArgs: texts(export.Tables),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.run(cmd, export.Table(args[0]))
		},
	}
	f := cmd.Flags()
	storageFlags(f, &e.config)
	f.StringVar(&e.out, "out", "", "where to: a file, a folder (ends in a slash, exists, or with --partition), s3://…")
	f.StringVar(&e.format, "format", "", "parquet, arrow or csv; by the name of the file, else parquet")
	f.StringVar(&e.partition, "partition", "", "divide by year, or bars by symbol")
	f.StringVar(&e.account, "account", "", "whose models and runs; needed for returns, allocations and runs")
	f.StringSliceVar(&e.symbols, "symbol", nil, "of bars: only these assets")
	f.StringSliceVar(&e.models, "model", nil, "of returns, allocations and runs: only these models")
	f.StringSliceVar(&e.runs, "run", nil, "of returns and allocations: these runs")
	f.StringVar(&e.start, "start-date", "", "of bars, returns and allocations: first date")
	f.StringVar(&e.end, "end-date", "", "of bars, returns and allocations: last date")
	f.StringVar(&e.assetType, "type", "", "of assets: etf, fund, stock or crypto")
	f.StringVar(&e.query, "q", "", "of assets: ticker or words of the name")
	f.BoolVar(&e.delisted, "delisted", false, "of assets: delisted ones too")
	f.StringVar(&e.status, "status", "", "of runs: queued, running, complete or failed")
	f.StringVar(&e.sources, "source", "", "of runs: what started them, such as refresh")
	_ = cmd.MarkFlagRequired("out") // fails only where the flag does not exist
	return cmd
}

// filtersOf are the flags that only some tables have.
var filtersOf = map[string][]export.Table{
	"symbol":     {export.Bars},
	"model":      {export.Returns, export.Allocations, export.Runs},
	"run":        {export.Returns, export.Allocations},
	"start-date": {export.Bars, export.Returns, export.Allocations},
	"end-date":   {export.Bars, export.Returns, export.Allocations},
	"account":    {export.Returns, export.Allocations, export.Runs},
	"type":       {export.Assets},
	"q":          {export.Assets},
	"delisted":   {export.Assets},
	"status":     {export.Runs},
	"source":     {export.Runs},
}

func (e *exporting) run(cmd *cobra.Command, t export.Table) error {
	for name, tables := range filtersOf {
		if cmd.Flags().Changed(name) && !slices.Contains(tables, t) {
			return fmt.Errorf("--%s is not of %s, but of %s", name, t, strings.Join(texts(tables), ", "))
		}
	}
	if e.account == "" && slices.Contains(filtersOf["account"], t) {
		return fmt.Errorf("--account is needed: %s are an account's own", t)
	}
	q, err := e.querying(t)
	if err != nil {
		return err
	}
	to, err := e.target(t)
	if err != nil {
		return err
	}
	return withStorage(cmd, e.config, func(ctx context.Context, s *storage) error {
		return e.export(ctx, s, q, to, cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}

// querying reads the filters.
func (e *exporting) querying(t export.Table) (export.Query, error) {
	q := export.Query{
		Table: t, Symbols: e.symbols, Models: e.models, RunIDs: e.runs,
		Assets: catalog.Filter{Query: e.query, Type: e.assetType, Delisted: e.delisted},
		Status: program.RunStatus(e.status), Source: program.Source(e.sources),
		Start: timeseries.NoDate, End: timeseries.NoDate,
	}
	for _, d := range []struct {
		flag, text string
		date       *timeseries.Date
	}{{"start-date", e.start, &q.Start}, {"end-date", e.end, &q.End}} {
		if d.text == "" {
			continue
		}
		var err error
		if *d.date, err = timeseries.ParseDate(d.text); err != nil {
			return q, fmt.Errorf("--%s %q: write it as YYYY-MM-DD", d.flag, d.text)
		}
	}
	return q, nil
}

func (e *exporting) export(ctx context.Context, s *storage, q export.Query, to *exportTarget, out, errs io.Writer) error {
	accountID := ""
	if e.account != "" {
		a, err := s.db.AccountByName(ctx, e.account)
		if err != nil {
			return err
		}
		accountID = a.ID
	}
	results, err := program.NewResults(s.bucket, int64(e.config.CacheMiB)<<20)
	if err != nil {
		return err
	}
	rows, err := newExports(s, program.NewService(program.ServiceConfig{
		Store: s.db, Assets: s.db, Bars: s.bars, Results: results, Logger: discardLogger(),
	}), 0).Open(ctx, accountID, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	bar := newBar(errs, "export "+string(q.Table))
	if rows.Total > 0 {
		bar.ChangeMax64(rows.Total)
	}
	var written int64
	rows.Progress = func(n int64) {
		written = n
		_ = bar.Set64(n) // drawing is a courtesy
	}
	parts, err := to.save(ctx, e.config, rows)
	_ = bar.Clear()
	if err != nil {
		return err
	}
	if parts > 0 {
		fmt.Fprintf(out, "%s: %d rows in %d files\n", to.shown, written, parts)
	} else {
		fmt.Fprintf(out, "%s: %d rows\n", to.shown, written)
	}
	return nil
}

// newExports makes the exports of a storage, so many at a time (0: no bound).
func newExports(s *storage, programs export.Programs, atOnce int) *export.Service {
	return export.NewService(export.Config{Store: s.db, Programs: programs, Symbols: s.db, Bucket: s.bucket, AtOnce: atOnce})
}

// exportTarget is where an export goes.
type exportTarget struct {
	place  string // of the bucket, a local folder where it has no scheme
	key    string // of the one object, or of the folder of the parts
	by     export.Partition
	format export.Format
	shown  string // for people
}

// target reads --out, --format and --partition.
func (e *exporting) target(t export.Table) (*exportTarget, error) {
	to := &exportTarget{by: export.Partition(e.partition), format: export.Format(e.format), shown: e.out}
	if to.by != "" && !slices.Contains(export.Partitions, to.by) {
		return nil, fmt.Errorf("--partition %q: accepted are %s", to.by, strings.Join(texts(export.Partitions), " and "))
	}
	if to.by != "" && (t == export.Assets || t == export.Runs || to.by == export.BySymbol && t != export.Bars) {
		return nil, fmt.Errorf("%s cannot be divided by %s", t, to.by)
	}
	where, isFolder := e.out, strings.HasSuffix(e.out, "/") || to.by != ""
	if strings.Contains(e.out, "://") {
		u, err := url.Parse(e.out)
		if err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
		if u.Scheme == "file" {
			where = u.Path
		} else {
			to.key = strings.Trim(u.Path, "/")
			isFolder = isFolder || to.key == "" || strings.HasSuffix(u.Path, "/")
			u.Path = ""
			to.place = u.String()
			where = to.key
		}
	}
	if info, err := os.Stat(where); to.place == "" && err == nil && info.IsDir() {
		isFolder = true
	}
	if err := to.setFormat(where); err != nil {
		return nil, err
	}
	name := ""
	if isFolder && to.by == "" {
		name = string(t) + to.format.Extension()
	}
	switch {
	case to.place != "":
		to.key = path.Join(to.key, name)
	case to.by != "":
		to.place = filepath.Clean(where)
	default:
		file := filepath.Join(where, name)
		to.place, to.key = filepath.Dir(file), filepath.Base(file)
	}
	return to, nil
}

// setFormat takes the format from a file's name where no flag gives it.
func (to *exportTarget) setFormat(name string) error {
	if to.format == "" {
		to.format = export.Parquet
		switch filepath.Ext(name) {
		case ".csv":
			to.format = export.CSV
		case ".arrow", ".arrows":
			to.format = export.Arrow
		}
	}
	if !slices.Contains(export.Formats, to.format) {
		return fmt.Errorf("--format %q: accepted are %s", to.format, strings.Join(texts(export.Formats), ", "))
	}
	return nil
}

// save writes the rows and returns the number of parts, 0 of one file.
func (to *exportTarget) save(ctx context.Context, c Config, rows *export.Rows) (parts int, err error) {
	if to.by != "" && !strings.Contains(to.place, "://") {
		return to.saveFolder(ctx, rows)
	}
	bucket, err := columnar.OpenBucket(ctx, to.place, columnar.BucketOptions{CacheDir: filepath.Join(c.DataDir, "cache")})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()
	if to.by == "" {
		return 0, export.Save(ctx, bucket, to.key, rows, to.format)
	}
	prefix := to.key
	if prefix != "" {
		prefix += "/"
	}
	for _, err := range bucket.List(ctx, prefix) {
		if err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("%s holds objects already; name an empty place, or delete them first", to.shown)
	}
	return export.SavePartitioned(ctx, bucket, to.key, rows, to.format, to.by)
}

// saveFolder writes the parts into a folder beside the one that was asked for,
// whose name it takes when it is whole.
func (to *exportTarget) saveFolder(ctx context.Context, rows *export.Rows) (parts int, err error) {
	if found, err := os.ReadDir(to.place); err == nil && len(found) > 0 {
		return 0, fmt.Errorf("%s is not empty; name another folder, or delete it first", to.place)
	}
	above := filepath.Dir(to.place)
	if err := os.MkdirAll(above, 0o750); err != nil {
		return 0, err
	}
	temporary, err := os.MkdirTemp(above, ".tmp-"+filepath.Base(to.place)+"-")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temporary))
		}
	}()
	bucket, err := columnar.OpenBucket(ctx, temporary, columnar.BucketOptions{})
	if err != nil {
		return 0, err
	}
	parts, err = export.SavePartitioned(ctx, bucket, "", rows, to.format, to.by)
	if err := errors.Join(err, bucket.Close()); err != nil {
		return 0, err
	}
	if err := os.Chmod(temporary, 0o750); err != nil { //nolint:gosec // a folder is for those who may enter it
		return 0, err
	}
	if err := os.Rename(temporary, to.place); err != nil {
		return 0, err
	}
	folder, err := os.Open(above) //nolint:gosec // the caller's own folder
	if err != nil {
		return 0, err
	}
	return parts, errors.Join(folder.Sync(), folder.Close())
}

// texts are names as plain text.
func texts[S ~string](names []S) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}
