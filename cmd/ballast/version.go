package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ballast/script"
	"ballast/storage/duck"
)

// commit is what the source was built from. The Makefile and the Dockerfile set it.
var commit string

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of Ballast, Go, DuckDB and the script contract",
		Long:    "Prints the versions to name when you report a problem. ballast --version prints the same.",
		Example: "  ballast version",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}

func printVersion(cmd *cobra.Command) error {
	library, err := duck.Version(cmd.Context())
	if err != nil {
		return err
	}
	return writeVersion(cmd.OutOrStdout(), library)
}

func writeVersion(out io.Writer, library string) error {
	module, source := "(devel)", commit
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			module = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && source == "" {
				source = s.Value
			}
		}
	}
	if source == "" {
		source = "unknown"
	}
	w := tabwriter.NewWriter(out, 2, 8, 2, ' ', 0)
	fmt.Fprintf(w, "ballast\t%s\n", module)
	fmt.Fprintf(w, "commit\t%s\n", source)
	fmt.Fprintf(w, "Go\t%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "DuckDB\t%s\n", library)
	fmt.Fprintf(w, "contract\t%s\n", script.HarnessVersion)
	return w.Flush()
}
