// Command ballast builds, backtests and serves asset-allocation models.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"ballast/internal/fault"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := rootCommand().ExecuteContext(ctx)
	stop()
	var code exitCode
	var wrong *usageError
	switch {
	case errors.As(err, &code):
		os.Exit(int(code))
	case errors.As(err, &wrong):
		fmt.Fprintln(os.Stderr, "ballast:", err)
		os.Exit(codeUsage)
	case err != nil:
		fmt.Fprintln(os.Stderr, "ballast:", explain(err))
		os.Exit(codeFailure)
	}
}

// explain returns the message of an error that is meant for callers, with its
// details, and other errors unchanged.
func explain(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) || f.Type == fault.Internal || f.Type == fault.Unavailable {
		return err.Error()
	}
	text := f.Message
	for _, d := range f.Details {
		text += "\n  " + cmp.Or(d.Location, d.Name()) + ": " + d.Message
	}
	return text
}

// exitCode ends the command without another message, because the command has said
// everything.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "ballast",
		Short: "Build, backtest and serve asset-allocation models",
		Long: `Ballast runs models, short Python scripts that decide weights, over daily total
returns, and serves their history over REST.

Settings come from flags, then from the environment (BALLAST_ and the flag's
name in capitals, dashes as underscores), then from a YAML file with the flags'
names as keys (--config or BALLAST_CONFIG).

The exit code is 0 for success, 1 for a failure, and 2 for a wrong command line or
setting.`,
		Example: `  ballast demo                              # everything, on a sample market
  ballast run model.py --bars bars.csv      # backtest a script, without a server
  ballast serve --data-dir data             # the service, with a private PostgreSQL`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentFlags().String("config", "", "configuration file, YAML")
	version := root.Flags().BoolP("version", "v", false, "print the versions, as ballast version does")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := configure(cmd); err != nil {
			return asUsage(cmd, err)
		}
		return asUsage(cmd, cmd.ValidateRequiredFlags())
	}
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return printVersion(cmd)
		}
		return cmd.Help()
	}
	root.Args = onlyCommands
	root.AddCommand(
		serveCommand(), workerCommand(), demoCommand(),
		runCommand(), validateCommand(), describeCommand(), benchCommand(),
		importCommand(), exportCommand(), lakeCommand(), refreshCommand(), accountCommand(), keysCommand(), auditCommand(), migrateCommand(),
		doctorCommand(), backupCommand(), restoreCommand(),
		modelsCommand(), runsCommand(), historyCommand(), simCommand(), shareCommand(), mcpCommand(), versionCommand(), sandboxCommand(), queryEngineCommand(), sqlCommand(),
	)
	checkUsage(root)
	groupHelp(root)
	return root
}
