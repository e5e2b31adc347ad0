// Package suite is the command line of the benchmark suite, which cmd/bench and
// ballast bench share.
package suite

import (
	"github.com/spf13/cobra"
)

// Command measures the program at binary.
func Command(binary string) *cobra.Command {
	c := config{}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure each promise beside its bar",
		Long: `Measures each row of the suite, prints it beside its bar, and writes bench.txt (for
benchstat) and bench.json into the output folder. A missed bar says MISSED and is
no failure; a number that differs from a peer's is one.`,
		Example: `  ballast bench --rows 'engine|history'
  ballast bench --growth                    # how costs grow with assets, sessions, models and workers`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), c, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.binary, "ballast", binary, "program to measure")
	f.StringVar(&c.out, "out", "bench/out", "folder of the results")
	f.StringVar(&c.rows, "rows", "", "regular expression of the rows to measure, by name or key; no peers then")
	f.IntVar(&c.count, "count", 1, "times that each row is measured; the table has the medians, bench.txt each")
	f.BoolVar(&c.smoke, "smoke", false, "few repetitions and no peers: shows that the suite works, in less than a minute")
	f.BoolVar(&c.peers, "peers", false, "fail where bt and vectorbt cannot be run, instead of skipping them")
	f.BoolVar(&c.growth, "growth", false, "measure how costs grow with sizes instead of the rows; takes ten minutes")
	f.StringVar(&c.python, "python", "", "interpreter that has bt and vectorbt; without it a virtual environment is made in the user's cache folder")
	f.StringVar(&c.bars, "bars", "", "bars of SPY and AGG to compare on (default bars/etf21_yahoo_2025.csv.gz in BALLAST_TEST_DATA or ../shared/data)")
	f.StringVar(&c.privateListen, "private-listen", "", "address of the measured service's profiles (pprof)")
	return cmd
}
