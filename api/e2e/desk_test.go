package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/tidwall/gjson"

	"ballast/account"
	"ballast/backtest"
	"ballast/billing"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/postgres/postgrestest"
	"ballast/program"
	"ballast/program/execution"
	"ballast/program/jobs"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/service"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
)

// desk is the whole service in this process, so that the race detector sees it,
// over a database of its own. Runs wait until a test has them carried out.
type desk struct {
	db       *postgres.DB
	bucket   columnar.Bucket
	objects  string // folder of the bucket
	reader   *bars.Reader
	executor *execution.Executor
	sandbox  inProcess
	url      string
	http     *http.Client
	document gjson.Result

	temporary string // folder of the processes that answer SQL
}

// openDesk serves the market of the scripts with metered accounts.
func openDesk(t *testing.T) *desk {
	t.Helper()
	ctx, log := t.Context(), slog.New(slog.DiscardHandler)
	policy := billing.Default()
	for plan, terms := range policy.Plans {
		terms.SignupGrantCents, terms.Concurrency = 1_000_000_000, 1_000
		policy.Plans[plan] = terms
	}
	dsn := postgrestest.NewFrom(t, "served", func(ctx context.Context, dsn string) error {
		db, err := postgres.Open(ctx, dsn, postgres.Config{MaxConns: 1})
		if err != nil {
			return err
		}
		defer db.Close()
		return db.Migrate(ctx)
	})
	d := &desk{http: &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 100}}}
	var err error
	d.db, err = postgres.Open(ctx, dsn, postgres.Config{MaxConns: 16, Logger: log, Billing: policy})
	check(t, err)
	t.Cleanup(d.db.Close)
	dir := t.TempDir()
	d.objects = filepath.Join(dir, "objects")
	d.bucket, err = columnar.OpenBucket(ctx, d.objects, columnar.BucketOptions{CacheDir: filepath.Join(dir, "cache")})
	check(t, err)
	t.Cleanup(func() { check(t, d.bucket.Close()) })
	d.importMarket(t, dir)

	results, err := result.NewStore(d.bucket, 64<<20)
	check(t, err)
	d.reader = bars.NewReader(d.db, d.bucket, 64<<20)
	d.executor = execution.NewExecutor(execution.ExecutorConfig{
		Store: d.db, Programs: d.db, Members: d.db, Backfills: d.db, Series: d.db, SeriesReads: d.db, Author: program.NewAuthor(program.AuthorConfig{Scripts: d.db, Builds: d.db, Members: d.db, Symbols: d.db, Assets: d.db, Prices: policy.Prices}), Assets: d.db, Bars: d.reader, Results: results, Sandbox: &d.sandbox, Prices: policy.Prices, Logger: log,
	})
	c := service.Default()
	c.Limits.DailyRuns = 1_000_000
	storage := &service.Storage{DB: d.db, Bucket: d.bucket, Bars: d.reader, Temporary: dir, Policy: policy}
	d.temporary = dir
	queries, err := storage.Queries(c, 1, d.db, log)
	check(t, err)
	t.Cleanup(func() { check(t, queries.Close()) })
	handler, err := service.NewHandler(ctx, c, storage, service.Parts{Queries: queries, Results: results, Metrics: prometheus.NewRegistry(), Logger: log})
	check(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	d.url = server.URL
	d.document = gjson.Parse((&guest{desk: d, t: t}).call(http.MethodGet, "/v1/openapi.json", nil).body)
	return d
}

func (d *desk) importMarket(t *testing.T, dir string) {
	t.Helper()
	market := filepath.Join(dir, "market.csv")
	check(t, writeMarket(market))
	d.importFile(t, market)
}

// importFile imports a file of bars.
func (d *desk) importFile(t *testing.T, path string) {
	t.Helper()
	queries, err := duck.Open(t.Context(), duck.Config{TempDir: t.TempDir()})
	check(t, err)
	defer func() { check(t, queries.Close()) }()
	_, err = importing.New(importing.Config{Store: d.db, Bucket: d.bucket, DB: queries}).Import(t.Context(), path, importing.Options{})
	check(t, err)
}

// work carries runs out as workers do, until the test ends.
func (d *desk) work(t *testing.T, workers int) {
	t.Helper()
	client, err := jobs.New(jobs.Config{
		Pool: d.db.Pool(), Executor: d.executor, Leases: d.db, Lanes: d.db, Workers: workers, Logger: slog.New(slog.DiscardHandler),
	})
	check(t, err)
	check(t, client.Start(t.Context()))
	t.Cleanup(func() { check(t, client.Stop(context.Background())) })
}

// run carries one run out.
func (d *desk) run(t *testing.T, runID string) {
	t.Helper()
	check(t, d.executor.Execute(t.Context(), runID))
}

// inProcess runs scripts in the test's own process.
type inProcess struct {
	through func(backtest.Decider) backtest.Decider // what decisions go through; nil leaves them
}

// decider is a script's.
func (s *inProcess) decider(p *script.Script, inputs script.Inputs, f *timeseries.Frame) (backtest.Decider, error) {
	runner, err := script.NewRunner(p, inputs, f, script.RunnerLimits{})
	if err != nil || s.through == nil {
		return runner, err
	}
	return s.through(runner), nil
}

func (s *inProcess) Run(ctx context.Context, job sandbox.Job) (*sandbox.Outcome, error) {
	p, problems := script.Check(job.Source, nil)
	if len(problems) > 0 {
		return nil, &script.RunError{Type: script.ScriptError, Message: problems[0].Message}
	}
	inputs, _ := p.Bind(job.Inputs)
	runner, err := s.decider(p, inputs, job.Frame)
	if err != nil {
		return nil, err
	}
	result, err := backtest.Run(ctx, job.Frame, p.Spec(inputs), runner, backtest.Everything)
	if err != nil {
		return nil, &script.RunError{Type: script.ScriptError, Message: err.Error()}
	}
	result.State = nil // nothing is continued here
	daily, ledger, err := result.Tables(memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	o := &sandbox.Outcome{Tables: []sandbox.Table{{Name: sandbox.DailyTable, Record: daily}, {Name: sandbox.LedgerTable, Record: ledger}}, Summary: result.Summary, CPU: time.Millisecond}
	if job.Causality {
		o.Causality, err = backtest.CheckCausality(ctx, job.Frame, p.Spec(inputs), result, 1, func(past *timeseries.Frame) (backtest.Decider, error) {
			return s.decider(p, inputs, past)
		})
	}
	return o, err
}

// guest is a caller of the desk.
type guest struct {
	*desk
	t         testing.TB
	accountID string
	key       string
}

// guest makes an account with a key.
func (d *desk) guest(t testing.TB, name string) *guest {
	t.Helper()
	a := &account.Account{ID: id.New(id.Account), Name: name, Plan: account.PlanBusiness, Role: account.RoleMember, CreatedAt: time.Now()}
	check(t, d.db.CreateAccount(t.Context(), a))
	g := &guest{desk: d, t: t, accountID: a.ID, key: account.NewKey()}
	k := &account.Key{ID: id.New(id.Key), AccountID: a.ID, Prefix: account.Prefix(g.key), CreatedAt: time.Now()}
	check(t, d.db.CreateKey(t.Context(), k, account.Hash(g.key)))
	return g
}

// answer is what the service has answered.
type answer struct {
	status int
	body   string
}

func (a answer) get(path string) string { return gjson.Get(a.body, path).String() }

// fault is the type of a refusal, "" of a success.
func (a answer) fault() string {
	if a.status < 400 {
		return ""
	}
	return a.get("error.type")
}

// call makes a request; body is JSON, or becomes it, or is nil.
func (g *guest) call(method, path string, body any) answer {
	g.t.Helper()
	var sent io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		sent = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		check(g.t, err)
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(context.Background(), method, g.url+path, sent)
	check(g.t, err)
	if g.key != "" {
		r.Header.Set("Authorization", "Bearer "+g.key)
	}
	if sent != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := g.http.Do(r)
	check(g.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(g.t, err)
	return answer{response.StatusCode, string(text)}
}

// want makes a request that has to succeed.
func (g *guest) want(method, path string, body any) answer {
	g.t.Helper()
	a := g.call(method, path, body)
	if a.status >= 300 {
		g.t.Fatalf("%s %s answers %d: %s", method, path, a.status, a.body)
	}
	return a
}

// documented reports whether the document names an answer of an operation.
func (d *desk) documented(method, template string, a answer) bool {
	responses := d.document.Get("paths").Map()[template].Get(strings.ToLower(method) + ".responses").Map()
	found, ok := responses[strconv.Itoa(a.status)]
	if !ok || a.status < 400 {
		return ok
	}
	for name := range strings.SplitSeq(found.Get("description").String(), ", ") {
		if name == a.fault() {
			return true
		}
	}
	return false
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
