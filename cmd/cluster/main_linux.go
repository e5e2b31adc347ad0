// Command cluster tries the service on several machines: it makes them of namespaces on
// this one, with a database, an S3 server, a load balancer, services and workers, and
// measures what docs/scaling.md promises. It needs root, iproute2, haproxy, PostgreSQL,
// versitygw and Toxiproxy.
//
//	go run ./cmd/cluster --ballast bin/ballast --store bin/tools/versitygw
//	go run ./cmd/cluster --only fairness,cutoff
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// options are what the command line says.
type options struct {
	ballast, before, store, proxy string
	newest                        string // ballast, where a scenario starts with before
	quick                         bool
	keep                          bool
	archived                      bool // the database keeps its log in an archive
	faulty                        bool // the fleet reaches database and bucket through the proxy
}

// figure is one measured value beside its bar.
type figure struct {
	what, measured, bar string
	met                 bool
}

// scenario is one thing that is tried, on a bed of its own.
type scenario struct {
	name  string
	about string
	try   func(context.Context, options) ([]figure, error)
}

var scenarios = []scenario{
	{"scale", "1 to 4 workers, builds and a cascade", scale},
	{"rolling", "an upgrade and back under requests", rolling},
	{"migration", "a migration beside a long transaction", migration},
	{"cutoff", "a worker without a network for 30 seconds", cutoff},
	{"fairness", "one account's 20,000 runs, and ten equal accounts", fairness},
	{"cold", "64 readers of an object that no cache has", cold},
	{"recovery", "the database recovered to a moment, and an object lost", recovery},
	{"faults", "database and bucket gone, and kills at random", faults},
}

func main() {
	var o options
	flag.StringVar(&o.ballast, "ballast", "bin/ballast", "the program to try")
	flag.StringVar(&o.before, "before", "", "an older build of the program, for rolling and migration (default: they use the program itself)")
	flag.StringVar(&o.store, "store", "bin/tools/versitygw", "the S3 server versitygw")
	flag.StringVar(&o.proxy, "proxy", "bin/tools/toxiproxy", "Toxiproxy's server, which disturbs connections")
	flag.BoolVar(&o.quick, "quick", false, "shorter: minutes instead of an hour")
	flag.BoolVar(&o.keep, "keep", false, "print where the logs are, and keep them")
	only := flag.String("only", "", "names of scenarios, separated by commas (default: all)")
	flag.Parse()
	for _, path := range []*string{&o.ballast, &o.before, &o.store, &o.proxy} {
		if *path != "" {
			whole, err := filepath.Abs(*path)
			if err != nil {
				fatal(err)
			}
			*path = whole
		}
	}
	o.newest = o.ballast
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !all(ctx, o, strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })) {
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

// all tries the scenarios and prints what they measured. It reports whether every bar is
// met.
func all(ctx context.Context, o options, only []string) bool {
	met := true
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "scenario\twhat\tmeasured\tbar\t")
	for _, s := range scenarios {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", s.name, s.about)
		began := time.Now()
		figures, err := s.try(ctx, o)
		for _, f := range figures {
			verdict := ""
			if !f.met {
				verdict, met = "MISSED", false
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", s.name, f.what, f.measured, f.bar, verdict)
		}
		if err != nil {
			fmt.Fprintf(out, "%s\t%v\t\t\tFAILED\n", s.name, err)
			met = false
		}
		_ = out.Flush() // to standard output
		fmt.Fprintf(os.Stderr, "%s took %v\n", s.name, time.Since(began).Round(time.Second))
		if ctx.Err() != nil {
			break
		}
	}
	return met
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "cluster:", err)
	os.Exit(2)
}

// pause waits, or returns early when ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", ctx.Err())
	case <-time.After(d):
		return nil
	}
}

// errEnded is the error of a process that has ended, for which it is no use to wait.
var errEnded = errors.New("has ended")

// until asks again and again until the answer is yes. It fails after the time given, or
// at once when a process has ended.
func until(ctx context.Context, most time.Duration, what string, yes func() (bool, error)) error {
	deadline := time.Now().Add(most)
	var last error
	for {
		ok, err := yes()
		if ok && err == nil {
			return nil
		}
		if errors.Is(err, errEnded) {
			return fmt.Errorf("%s: %w", what, err)
		}
		if last = err; time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("%s: not within %v", what, most), last)
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}
