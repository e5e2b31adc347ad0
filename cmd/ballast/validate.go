package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ballast/script"
)

func validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE…",
		Short: "Check scripts against the contract, without running them",
		Long: `Checks each script as the service does before a build: constants, entry point,
imports, determinism, INPUTS. The members of the universe are checked by the
service, which knows the catalog. The exit code is 1 where a script has problems.`,
		Example: "  ballast validate model.py",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := false
			for _, path := range args {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				p, problems := script.Check(string(text), nil)
				if len(problems) > 0 {
					bad = true
					printProblems(cmd.ErrOrStderr(), path, string(text), problems)
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: valid: %s, %s, %d inputs, contract %s\n",
					path, p.Name, p.Schedule, p.Inputs.Len(), script.HarnessVersion)
			}
			if bad {
				return exitCode(1)
			}
			return nil
		},
	}
}

// printProblems writes problems the way compilers do: place, message, the line and a caret.
func printProblems(w io.Writer, path, source string, problems []script.Problem) {
	lines := strings.Split(source, "\n")
	for _, p := range problems {
		fmt.Fprintf(w, "%s:%d:%d: %s [%s]\n", path, p.Line, p.Column, p.Message, p.Rule)
		if p.Line >= 1 && p.Line <= len(lines) {
			line := strings.TrimRight(lines[p.Line-1], "\r")
			fmt.Fprintf(w, "  %s\n  %s^\n", line, indentTo(line, p.Column))
		}
		if p.Suggestion != "" {
			fmt.Fprintf(w, "  did you mean %s?\n", p.Suggestion)
		} else if len(p.Accepted) > 0 {
			fmt.Fprintf(w, "  accepted: %s\n", strings.Join(p.Accepted, ", "))
		}
	}
}

// indentTo gives the white space before the column, with tabs where the line has them.
func indentTo(line string, column int) string {
	var b strings.Builder
	for i, c := range []rune(line) {
		if i >= column-1 {
			break
		}
		if c == '\t' {
			b.WriteRune('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
