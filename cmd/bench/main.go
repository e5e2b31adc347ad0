// Bench runs the benchmark suite: each row beside its bar, and the 60/40 model
// beside bt and vectorbt.
//
//	make bench
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	c := config{}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure each promise beside its bar",
		Long: `Measures each row of the suite, prints it beside its bar, and writes bench.txt (for
benchstat) and bench.json into the output folder. A missed bar says MISSED and is
no failure; a number that differs from a peer's is one.`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), c, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.binary, "ballast", "bin/ballast", "program to measure")
	f.StringVar(&c.out, "out", "bench/out", "folder of the results")
	f.StringVar(&c.rows, "rows", "", "regular expression of the rows to measure, by name or key; no peers then")
	f.IntVar(&c.count, "count", 1, "times that each row is measured; the table has the medians, bench.txt each")
	f.BoolVar(&c.smoke, "smoke", false, "few repetitions and no peers: shows that the suite works, in less than a minute")
	f.BoolVar(&c.peers, "peers", false, "fail where bt and vectorbt cannot be run, instead of skipping them")
	f.StringVar(&c.python, "python", "", "interpreter that has bt and vectorbt; without it a virtual environment is made in the user's cache folder")
	f.StringVar(&c.bars, "bars", "", "bars of SPY and AGG to compare on (default bars/etf21_yahoo_2025.csv.gz in BALLAST_TEST_DATA or ../shared/data)")
	f.StringVar(&c.privateListen, "private-listen", "", "address of the measured service's profiles (pprof)")
	return cmd
}
