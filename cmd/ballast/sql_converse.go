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
	if !ok || !term.IsTerminal(int(in.Fd())) || !isTerminal(cmd.OutOrStdout()) {
		scanner := bufio.NewScanner(cmd.InOrStdin())
		scanner.Buffer(nil, 1<<20)
		return statements(func() (string, error) {
			if scanner.Scan() {
				return scanner.Text(), nil
			}
			return "", errors.Join(scanner.Err(), io.EOF)
		}, func(bool) {}, func(statement string) error { return ask(ctx, statement, cmd.OutOrStdout()) })
	}
	names := make([]string, len(query.Tables))
	for i, t := range query.Tables {
		names[i] = t.Name
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Tables: %s.\nEnd each statement with a semicolon, and the session with Ctrl-D.\n", strings.Join(names, ", "))
	// The terminal is raw only while a line is edited. While a statement runs it is back
	// in its normal mode, so that Ctrl-C cancels the statement.
	editor := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, cmd.OutOrStdout()}, "")
	return statements(func() (string, error) {
		before, err := term.MakeRaw(int(in.Fd()))
		if err != nil {
			return "", err
		}
		line, err := editor.ReadLine()
		return line, errors.Join(err, term.Restore(int(in.Fd()), before))
	}, func(more bool) {
		editor.SetPrompt("sql> ")
		if more {
			editor.SetPrompt("...> ")
		}
	}, func(statement string) error {
		running, stop := signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
		if err := ask(running, statement, cmd.OutOrStdout()); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), explain(err))
		}
		return nil
	})
}

// statements reads lines and passes each statement to do when its semicolon is read;
// the last one may lack it. It calls prompt before each line, with true if a statement
// has begun.
func statements(read func() (string, error), prompt func(more bool), do func(string) error) error {
	var pending strings.Builder
	for {
		prompt(pending.Len() > 0)
		line, err := read()
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return err
		}
		if strings.TrimSpace(line) != "" {
			pending.WriteString(line)
			pending.WriteByte('\n')
		}
		statement := strings.TrimSpace(pending.String())
		if word := strings.TrimSuffix(strings.ToLower(statement), ";"); word == "exit" || word == "quit" {
			return nil
		}
		if statement != "" && (ended || strings.HasSuffix(statement, ";")) {
			pending.Reset()
			if err := do(statement); err != nil {
				return err
			}
		}
		if ended {
			return nil
		}
	}
}
