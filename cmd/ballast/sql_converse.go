package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"ballast/query"
)

// converse answers statements as they are typed; each ends with a semicolon. If input
// or output is not a terminal, the first statement that fails ends the command.
func converse(ctx context.Context, cmd *cobra.Command, ask func(context.Context, string, io.Writer) error) error {
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !interactive(cmd) {
		lines := bufio.NewReader(cmd.InOrStdin())
		return statements(func(bool) (string, error) { return lines.ReadString('\n') }, true,
			func(statement string) error { return ask(ctx, statement, cmd.OutOrStdout()) })
	}
	names := make([]string, len(query.Tables))
	for i, t := range query.Tables {
		names[i] = t.Name
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Tables: %s.\nDESCRIBE TABLE; lists the columns of a table. End a statement with a semicolon and the session with Ctrl-D.\n", strings.Join(names, ", "))
	editor := newLineEditor(in, cmd.OutOrStdout())
	err := statements(func(more bool) (string, error) {
		if more {
			return editor.read("...> ")
		}
		return editor.read("sql> ")
	}, false, func(statement string) error {
		running, stop := signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
		switch err := ask(running, statement, cmd.OutOrStdout()); {
		case err == nil:
		case running.Err() != nil && ctx.Err() == nil:
			fmt.Fprintln(cmd.ErrOrStderr(), "The statement was interrupted.")
		default:
			fmt.Fprintln(cmd.ErrOrStderr(), explain(err))
		}
		return ctx.Err()
	})
	fmt.Fprintln(cmd.OutOrStdout())
	return err
}

// interactive reports whether a command reads from a terminal and writes to one.
func interactive(cmd *cobra.Command) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	return ok && term.IsTerminal(int(in.Fd())) && isTerminal(cmd.OutOrStdout())
}

// mostPending limits the text of a statement that has no semicolon yet. The service
// accepts less.
const mostPending = 1 << 20

// statements reads lines, and calls do for each statement that ends with a semicolon. If
// rest is set, what is left at the end is a statement as well. read is told whether a
// statement has begun; after errInterrupted that statement is dropped.
func statements(read func(more bool) (string, error), rest bool, do func(string) error) error {
	pending := ""
	for {
		line, err := read(strings.TrimSpace(pending) != "")
		if errors.Is(err, errInterrupted) {
			pending = ""
			continue
		}
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return err
		}
		pending += strings.TrimRight(line, "\r\n") + "\n"
		if len(pending) > mostPending {
			return fmt.Errorf("a statement is longer than %d bytes; end statements with a semicolon", mostPending)
		}
		if word := strings.ToLower(strings.Trim(pending, "; \t\n")); word == "exit" || word == "quit" {
			return nil
		}
		for {
			statement, after, found := cutStatement(pending)
			if !found && (!ended || !rest) {
				break
			}
			pending = after
			if strings.TrimSpace(statement) != "" {
				if err := do(strings.TrimSpace(statement)); err != nil {
					return err
				}
			}
			if !found {
				break
			}
		}
		if ended {
			return nil
		}
	}
}
