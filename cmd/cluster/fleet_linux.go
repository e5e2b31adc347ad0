package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"ballast/internal/bed"
)

// workerCores is the processor time of one worker's machine, per second.
const workerCores = 0.2

// fleet is the service on a bed of machines.
type fleet struct {
	bed             *bed.Bed
	ballast, newest string // the program, and the one that makes the sample market
	keep            bool

	database, store, balancer, user *bed.Machine
	databaseServer, storeServer     *bed.Process
	services, workers               []*replica
	toxics                          *toxics       // before the database and the bucket; nil: nothing is
	pool                            *pgxpool.Pool // of the database, from the user's machine
	databaseURL, bucketURL, url     string
	postgres                        string // the database's program
	archived                        bool   // the database keeps its log in an archive
	accounts                        int
	revived                         int
	runsOfServices                  string // at a time: none, where the program may be told so
}

// replica is a service or a worker on its machine.
type replica struct {
	*bed.Machine
	args    []string
	process *bed.Process
}

const (
	storeUser   = "ballast"
	storeSecret = "a-secret-of-the-bed" //nolint:gosec // of a server that lives for minutes
)

// newFleet makes a database, an S3 server, a load balancer, two services and some workers.
// The services execute no more runs than they have to.
func newFleet(ctx context.Context, o options, workers int) (*fleet, error) {
	b, err := bed.New(ctx)
	if err != nil {
		return nil, err
	}
	f := &fleet{bed: b, ballast: o.ballast, newest: o.newest, keep: o.keep, runsOfServices: "0"}
	if o.before != "" { // builds before that setting
		f.runsOfServices = "1"
	}
	if err := f.start(ctx, o, workers); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// onFleet makes a fleet with an account, tries something on it, and removes it.
func onFleet(ctx context.Context, o options, workers int, try func(*fleet, *client) ([]figure, error)) (figures []figure, err error) {
	f, err := newFleet(ctx, o, workers)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	c, err := f.account(ctx)
	if err != nil {
		return nil, err
	}
	return try(f, c)
}

// start starts everything, and waits until it works.
func (f *fleet) start(ctx context.Context, o options, workers int) (err error) {
	if err := f.startDatabase(ctx, o.archived); err != nil {
		return err
	}
	if err := f.startStore(ctx, o.store); err != nil {
		return err
	}
	if f.balancer, err = f.bed.Machine(ctx, "balancer", 0); err != nil {
		return err
	}
	if f.user, err = f.bed.Machine(ctx, "user", 0); err != nil {
		return err
	}
	if err := f.connect(ctx); err != nil {
		return err
	}
	if _, err := f.pool.Exec(ctx, "create extension pg_stat_statements"); err != nil {
		return fmt.Errorf("count statements: %w", err)
	}
	if _, err := f.command(ctx, "migrate"); err != nil {
		return err
	}
	if err := f.importSample(ctx); err != nil {
		return err
	}
	if o.faulty {
		if err := f.startToxics(ctx, o.proxy); err != nil {
			return err
		}
	}
	for i := range 2 {
		if err := f.addService(ctx, fmt.Sprintf("service%d", i+1)); err != nil {
			return err
		}
	}
	if err := f.startBalancer(); err != nil {
		return err
	}
	for range workers {
		if err := f.addWorker(ctx); err != nil {
			return err
		}
	}
	return f.ready(ctx)
}

// close ends everything. The logs are kept where that was asked for.
func (f *fleet) close() error {
	if f.pool != nil {
		f.pool.Close()
	}
	if f.keep {
		kept, err := os.MkdirTemp("", "cluster-logs-")
		if err == nil {
			logs, _ := filepath.Glob(filepath.Join(f.bed.Dir, "*", "*.log")) // the pattern is well formed
			for _, log := range logs {
				err = errors.Join(err, copyFile(filepath.Join(kept, filepath.Base(filepath.Dir(log))+"-"+filepath.Base(log)), log))
			}
			fmt.Fprintln(os.Stderr, "logs are in", kept)
		}
		return errors.Join(err, f.bed.Close())
	}
	return f.bed.Close()
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// startDatabase makes a PostgreSQL cluster and starts it.
func (f *fleet) startDatabase(ctx context.Context, archived bool) (err error) {
	if f.database, err = f.bed.Machine(ctx, "database", 0); err != nil {
		return err
	}
	f.archived = archived
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is well formed
	if len(folders) == 0 {
		return errors.New("no PostgreSQL below /usr/lib/postgresql")
	}
	bin := folders[len(folders)-1]
	data := f.database.Files("data")
	for _, dir := range []string{data, f.archive(), f.base()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return fmt.Errorf("make the database: %w", err)
		}
		if _, err := f.database.Run(ctx, bed.Command{Path: "chown", Args: []string{"postgres", dir}}); err != nil {
			return err
		}
	}
	if _, err := f.database.Run(ctx, bed.Command{Path: filepath.Join(bin, "initdb"), Args: []string{"--pgdata", data, "--auth", "trust", "--username", "postgres", "--no-sync", "--encoding", "UTF8", "--locale", "C.UTF-8"}, User: "postgres"}); err != nil {
		return err
	}
	access := "host all all 0.0.0.0/0 trust\nhost replication all 0.0.0.0/0 trust\n"
	if err := os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(access), 0o644); err != nil { //nolint:gosec // read by another user
		return fmt.Errorf("make the database: %w", err)
	}
	f.databaseURL = fmt.Sprintf("postgres://postgres@%s:5432/postgres?sslmode=disable&connect_timeout=3", f.database.Address)
	f.postgres = filepath.Join(bin, "postgres")
	return f.runDatabase()
}

// runDatabase starts the database, with further settings.
func (f *fleet) runDatabase(settings ...string) (err error) {
	if f.archived {
		settings = append(settings, "archive_mode=on", "archive_command=cp %p "+f.archive()+"/%f")
	}
	args := []string{
		"-D", f.database.Files("data"), "-c", "listen_addresses=*", "-c", "unix_socket_directories=", "-c", "max_connections=200", "-c", "synchronous_commit=on", "-c", "shared_preload_libraries=pg_stat_statements",
		"-c", "tcp_keepalives_idle=5", "-c", "tcp_keepalives_interval=2", "-c", "tcp_keepalives_count=3", "-c", "client_connection_check_interval=2s",
	}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	f.databaseServer, err = f.database.Start(bed.Command{Path: f.postgres, User: "postgres", Args: args})
	return err
}

// startStore starts the S3 server over a folder. Its bucket is a folder in it.
func (f *fleet) startStore(ctx context.Context, program string) (err error) {
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("the S3 server is missing: %w; make cluster installs it", err)
	}
	if f.store, err = f.bed.Machine(ctx, "store", 0); err != nil {
		return err
	}
	if err := os.MkdirAll(f.store.Files("data/models"), 0o755); err != nil { //nolint:gosec // a bucket of the bed
		return fmt.Errorf("make the bucket: %w", err)
	}
	f.bucketURL = fmt.Sprintf("s3://models?endpoint=http://%s:7070&region=us-east-1&use_path_style=true", f.store.Address)
	if f.storeServer, err = f.store.Start(bed.Command{Path: program, Args: []string{
		"--access", storeUser, "--secret", storeSecret, "--port", f.store.Address + ":7070", "--access-log", f.requestsLog(), "posix", f.store.Files("data"),
	}}); err != nil {
		return err
	}
	return nil
}

// requestsLog is the file in which the S3 server logs its requests.
func (f *fleet) requestsLog() string { return f.store.Files("requests.log") }

// connect connects to the database from the user's machine.
func (f *fleet) connect(ctx context.Context) error {
	config, err := pgxpool.ParseConfig(f.databaseURL)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	config.ConnConfig.DialFunc = f.user.Dial
	config.MaxConns = 8
	if f.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	return until(ctx, 20*time.Second, "the database answers", func() (bool, error) {
		err := f.pool.Ping(ctx)
		return err == nil, err
	})
}

// places are the flags that say where the database and the bucket are.
func (f *fleet) places(data string) []string {
	return []string{"--database-url", f.databaseURL, "--bucket-url", f.bucketURL, "--data-dir", data}
}

// environment are the credentials of the bucket.
func environment() []string {
	return []string{"AWS_ACCESS_KEY_ID=" + storeUser, "AWS_SECRET_ACCESS_KEY=" + storeSecret, "AWS_EC2_METADATA_DISABLED=true"}
}

// command runs a command of the program, on the user's machine.
func (f *fleet) command(ctx context.Context, args ...string) (string, error) {
	out, err := f.user.Run(ctx, bed.Command{Path: f.ballast, Args: append(args, f.places(f.user.Files("commands"))...), Env: environment()})
	return strings.TrimSpace(out), err
}

// importSample imports the bars of the sample market.
func (f *fleet) importSample(ctx context.Context) error {
	if _, err := f.user.Run(ctx, bed.Command{Path: f.newest, Args: []string{"demo", "--files", f.user.Dir}}); err != nil {
		return err
	}
	bars, _ := filepath.Glob(f.user.Files("*bars*.csv*")) // the pattern is well formed
	catalogs, _ := filepath.Glob(f.user.Files("*catalog*.csv*"))
	if len(bars) == 0 {
		return errors.New("the sample market has no file of bars")
	}
	if len(catalogs) > 0 {
		if _, err := f.command(ctx, "import", "catalog", catalogs[0]); err != nil {
			return err
		}
	}
	_, err := f.command(ctx, "import", "bars", bars[0])
	return err
}

// addService starts a service on a machine of its own.
func (f *fleet) addService(ctx context.Context, name string) error {
	m, err := f.bed.Machine(ctx, name, 0)
	if err != nil {
		return err
	}
	r := &replica{Machine: m, args: append([]string{
		"serve", "--listen", m.Address + ":8080", "--private-listen", m.Address + ":9090", "--migrate=false", "--log-format", "json", "--refresh=false", "--metering", "off",
		"--workers", f.runsOfServices, "--sandboxes", "1", "--shutdown-delay", "3s", "--trusted-proxies", f.balancer.Address,
		"--rate-limit", "0", "--address-rate-limit", "0", "--account-requests", "0", "--daily-run-limit", "1000000",
	}, f.places(m.Files("data"))...)}
	f.services = append(f.services, r)
	return r.start(f.ballast)
}

// addWorker starts a worker on a machine of its own.
func (f *fleet) addWorker(ctx context.Context) error {
	m, err := f.bed.Machine(ctx, fmt.Sprintf("worker%d", len(f.workers)+1), workerCores)
	if err != nil {
		return err
	}
	r := &replica{Machine: m, args: append([]string{"worker", "--private-listen", m.Address + ":9090", "--migrate=false", "--log-format", "json", "--refresh=false", "--metering", "off", "--workers", "2", "--sandboxes", "1"}, f.places(m.Files("data"))...)}
	f.workers = append(f.workers, r)
	return r.start(f.ballast)
}

// replicas are all services and workers.
func (f *fleet) replicas() []*replica { return slices.Concat(f.services, f.workers) }

func (r *replica) start(program string) (err error) {
	r.process, err = r.Start(bed.Command{Path: program, Args: r.args, Env: environment()})
	return err
}

// startBalancer starts haproxy in front of the services.
func (f *fleet) startBalancer() error {
	var servers strings.Builder
	for _, s := range f.services {
		fmt.Fprintf(&servers, "  server %s %s:8080 check\n", s.Name, s.Address)
	}
	config := fmt.Sprintf(`global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 130s
  timeout server 130s
  retries 3
  option redispatch
frontend callers
  bind %s:80
  default_backend services
backend services
  balance leastconn
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 500ms fall 1 rise 1
%s`, f.balancer.Address, servers.String())
	path := f.balancer.Files("haproxy.cfg")
	if err := os.WriteFile(path, []byte(config), 0o644); err != nil { //nolint:gosec // no secrets
		return fmt.Errorf("start the load balancer: %w", err)
	}
	f.url = "http://" + f.balancer.Address
	_, err := f.balancer.Start(bed.Command{Path: "haproxy", Args: []string{"-f", path, "-db"}})
	return err
}

// ready waits until the load balancer passes requests on and all workers live.
func (f *fleet) ready(ctx context.Context) error {
	c := f.client("")
	return until(ctx, 2*time.Minute, "the fleet is ready", func() (bool, error) {
		for _, r := range f.replicas() {
			if r.process.Ended() {
				return false, fmt.Errorf("%s %w: %s", r.Name, errEnded, tail(r.process.Log))
			}
		}
		for _, s := range f.services {
			if status, _, err := c.at("http://"+s.Address+":8080").call(ctx, "GET", "/readyz", nil); err != nil || status != 200 {
				return false, err
			}
		}
		status, _, err := c.call(ctx, "GET", "/readyz", nil)
		if err != nil || status != 200 {
			return false, err
		}
		var live int
		err = f.pool.QueryRow(ctx, "select count(*) from workers where renewed_at > now() - interval '20 s'").Scan(&live)
		return live >= len(f.services)+len(f.workers), err
	})
}

// tail returns the end of a log.
func tail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-1500):])
}
