package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/width"

	"ballast/script"
	"ballast/script/dialect"
	"ballast/service"
)

func validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE…",
		Short: "Check scripts against the contract, without running them",
		Long: `Checks each script as the service does before a build: constants, entry point,
imports, determinism, INPUTS. The members of the universe are checked by the
service, which knows the catalog. The exit code is 1 if a script has problems.`,
		Example: "  ballast validate model.py",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			bad := false
			for _, path := range args {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				p, problems := service.Kinds.Check(string(text), nil)
				if len(problems) > 0 {
					bad = true
					printProblems(cmd.ErrOrStderr(), path, string(text), problems)
					continue
				}
				what := p.Kind.Name
				if p.Kind == script.Model {
					what = fmt.Sprint(p.Schedule)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: valid: %s, %s, %d inputs, contract %s\n",
					path, p.Name, what, p.Inputs.Len(), script.HarnessVersion)
			}
			if bad {
				return exitCode(1)
			}
			return nil
		},
	}
}

// printProblems writes problems in the form that compilers use: place, message, the
// line and a caret.
func printProblems(w io.Writer, path, source string, problems []dialect.Problem) {
	lines := dialect.Lines(source)
	for _, p := range problems {
		fmt.Fprintf(w, "%s:%d:%d: %s [%s]\n", path, p.Line, p.Column, p.Message, p.Rule)
		if p.Line >= 1 && p.Line <= len(lines) {
			line, before := around(lines[p.Line-1], p.Column)
			fmt.Fprintf(w, "  %s\n  %s^\n", line, blank(before))
		}
		if p.Suggestion != "" {
			fmt.Fprintf(w, "  did you mean %s?\n", p.Suggestion)
		} else if len(p.Accepted) > 0 {
			fmt.Fprintf(w, "  accepted: %s\n", strings.Join(p.Accepted, ", "))
		}
	}
}

// widest is how much of a line is shown, in characters.
const widest = 160

// around returns the part of a line that is shown, and the part of that before the
// column. A long line is shown around the column.
func around(line string, column int) (shown, before string) {
	text := []rune(line)
	at := min(max(column-1, 0), len(text))
	from, to := 0, len(text)
	if to > widest {
		from = max(0, min(at-widest/2, to-widest))
		to = from + widest
	}
	head, tail := "", ""
	if from > 0 {
		head = "… "
	}
	if to < len(text) {
		tail = " …"
	}
	return head + string(text[from:to]) + tail, head + string(text[from:at])
}

// blank returns white space of the same width as a text: tabs stay, and characters
// that terminals draw two columns wide become two spaces.
func blank(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch k := width.LookupRune(c).Kind(); {
		case c == '\t':
			b.WriteByte('\t')
		case k == width.EastAsianWide, k == width.EastAsianFullwidth:
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
