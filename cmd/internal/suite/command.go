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
		Short: "Measure each row and compare it with its target",
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
	f.StringVar(&c.rows, "rows", "", "regular expression of the rows to measure, by name or key; bt and vectorbt are then left out")
	f.IntVar(&c.count, "count", 1, "times that each row is measured; the table has the medians, bench.txt each")
	f.BoolVar(&c.smoke, "smoke", false, "few repetitions, without bt and vectorbt: shows in less than a minute that the suite works")
	f.BoolVar(&c.peers, "peers", false, "fail if bt and vectorbt cannot be run, instead of skipping them")
	f.BoolVar(&c.growth, "growth", false, "measure how costs grow with sizes instead of the rows; takes ten minutes")
	f.StringVar(&c.python, "python", "", "interpreter that has bt and vectorbt; without it a virtual environment is made in the user's cache folder")
	f.StringVar(&c.bars, "bars", "", "bars of SPY and AGG to compare on (default bars/etf21_yahoo_2025.csv.gz in BALLAST_TEST_DATA or ../shared/data)")
	f.StringVar(&c.privateListen, "private-listen", "", "address of the measured service's profiles (pprof)")
	return cmd
}
