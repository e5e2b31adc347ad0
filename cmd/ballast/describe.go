package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ballast/program/generate/grammar"
	"ballast/script"
	"ballast/service"
)

func describeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "describe FILE…",
		Short: "Say in words what a model's script does",
		Long: `Reads the script of a model that a description gave, with the default inputs that it
has now, and writes a description that gives the same script again: ballast run and
POST /v1/models take it. Whether it does is checked each time.

No description gives a script that was written by hand or whose code was changed, nor
one of choices and blends whose inputs were changed: then what the script says of
itself, its schedule, its universe and its inputs are written, and the exit code is 1.`,
		Example: `  ballast describe model.py
  ballast run "$(ballast describe model.py)" --bars bars.csv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			silent := false
			for _, path := range args {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				p, problems := service.Kinds.Check(string(text), nil)
				if len(problems) > 0 {
					silent = true
					printProblems(cmd.ErrOrStderr(), path, string(text), problems)
					continue
				}
				words, err := grammar.InWords(cmd.Context(), string(text))
				if err != nil {
					return err
				}
				if words != "" {
					fmt.Fprintln(cmd.OutOrStdout(), words)
					continue
				}
				silent = true
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: no description gives this script: it was written or changed by hand, is composed of choices or blends in a way that one sentence does not say, or is no model. This is what it says itself.\n", path)
				describeParts(cmd, p)
			}
			if silent {
				return exitCode(1)
			}
			return nil
		},
	}
}

// describeParts writes what can be said of any script.
func describeParts(cmd *cobra.Command, p *script.Script) {
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s, %s\n", p.Name, p.Kind.Name)
	if p.Description != "" {
		fmt.Fprintln(out, p.Description)
	}
	if p.Kind == script.Model {
		fmt.Fprintf(out, "schedule: %v\n", p.Schedule)
		fmt.Fprintf(out, "universe: %v\n", p.Universe)
	}
	for _, in := range p.Inputs.Properties {
		if !in.Service {
			fmt.Fprintf(out, "input %s: %v\n", in.Name, in.Default)
		}
	}
}
