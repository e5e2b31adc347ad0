package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ballast/service"
)

// Exit codes of every command.
const (
	codeFailure = 1 // the command was understood but could not do its work
	codeUsage   = 2 // the command line or a setting is wrong; nothing was started
)

// usageError says that the command line or a setting is wrong.
type usageError struct {
	err     error
	command *cobra.Command // the command it belongs to; nil if the caller does not know
}

func (e *usageError) Error() string {
	if e.command == nil {
		return e.err.Error()
	}
	return fmt.Sprintf("%v\nusage: %s\n%s --help has examples and all flags", e.err, e.command.UseLine(), e.command.CommandPath())
}

func (e *usageError) Unwrap() error { return e.err }

// usage creates a usageError.
func usage(format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...)}
}

// checkUsage makes cmd and every command below it answer a wrong command line with a
// usageError. Cobra alone would let groups of commands print their help and succeed,
// whatever they are given.
func checkUsage(cmd *cobra.Command) {
	if !cmd.Runnable() {
		if cmd.Args == nil {
			cmd.Args = onlyCommands
		}
		cmd.DisableFlagsInUseLine = true
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return asUsage(cmd, check(cmd, args)) }
	}
	cmd.SetFlagErrorFunc(asUsage)
	if do := cmd.RunE; do != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := do(cmd, args)
			var wrong *usageError
			var invalid *service.Invalid
			if errors.As(err, &wrong) || errors.As(err, &invalid) {
				return asUsage(cmd, err)
			}
			return err
		}
	}
	for _, c := range cmd.Commands() {
		checkUsage(c)
	}
}

// asUsage converts an error to a usageError of the command.
func asUsage(cmd *cobra.Command, err error) error {
	var wrong *usageError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.command != nil:
		return err
	}
	return &usageError{err: err, command: cmd}
}

// onlyCommands refuses arguments that are not commands of a group.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	text := fmt.Sprintf("there is no command %q in %s", args[0], cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("%s; did you mean %s?", text, strings.Join(near, " or "))
	}
	return fmt.Errorf("%s; it has %s", text, strings.Join(names, ", "))
}
