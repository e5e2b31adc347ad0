package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ballast/internal/nearest"
	"ballast/program/generate"
	"ballast/program/generate/grammar"
	"ballast/script"
	"ballast/script/harness"
)

// fromWords stands for the file of a script that was written from a description.
const fromWords = "description"

// source returns the script to run: that of a file or, if there is no such file, of a
// description in words.
func (r *localRun) source(ctx context.Context, show *meter) (string, error) {
	text, err := os.ReadFile(r.path)
	if err == nil {
		return string(text), nil
	}
	if !errors.Is(err, os.ErrNotExist) || isFile(r.path) {
		return "", err
	}
	market, err := r.market(ctx, nil, show)
	if err != nil {
		return "", err
	}
	source, err := inWords(ctx, r.path, fileLibrary{market})
	var strange *generate.NotUnderstood
	if errors.As(err, &strange) {
		show.end(err)
		for _, w := range strange.Words {
			fmt.Fprintf(r.errs, "%q: %s\n", w.Text, w.Message)
			if w.Suggestion != "" {
				fmt.Fprintf(r.errs, "  did you mean %s?\n", w.Suggestion)
			}
		}
		fmt.Fprintf(r.errs, "There is no file of this name, and the description is not understood. Understood are, for example:\n  %s\n", strings.Join(strange.Accepted, "\n  "))
		return "", exitCode(1)
	}
	if err != nil {
		return "", err
	}
	r.path = fromWords
	return source, nil
}

// isFile reports a path that is meant as one of a file: a script, or one word with an
// extension. One word without any, such as DAA, may name a rule.
func isFile(path string) bool {
	return strings.HasSuffix(path, ".py") || !strings.ContainsAny(path, " /%") && filepath.Ext(path) != ""
}

// inWords writes the script of a description: of a model, or else of a simulation or
// an analysis.
func inWords(ctx context.Context, prompt string, library generate.Library) (string, error) {
	var first error
	for _, kind := range []string{script.Model.Name, harness.Simulation, harness.Analysis} {
		draft, err := grammar.New().Generate(ctx, library, generate.Request{Kind: kind, Prompt: prompt, Now: time.Now()})
		if err == nil {
			return draft.Script, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", first
}

// fileLibrary has the symbols of the files as members.
type fileLibrary struct{ market *localMarket }

var _ generate.Library = fileLibrary{}

func (l fileLibrary) Members(_ context.Context, names []string) (map[string]generate.Member, error) {
	found := map[string]generate.Member{}
	for _, name := range names {
		if symbol := fileSymbol(name); l.market.known[symbol] {
			found[name] = generate.Member{Key: symbol, ID: symbol, Symbol: symbol, Name: symbol}
		}
	}
	return found, nil
}

func (l fileLibrary) Nearest(_ context.Context, symbols []string) (map[string]string, error) {
	near := map[string]string{}
	for _, s := range symbols {
		if x := nearest.Match(s, l.market.symbols()); x != "" {
			near[s] = x
		}
	}
	return near, nil
}

func (fileLibrary) Models(context.Context) ([]generate.Member, error)              { return nil, nil }
func (fileLibrary) Search(context.Context, string, int) ([]generate.Member, error) { return nil, nil }
func (fileLibrary) Series(context.Context) ([]generate.Series, error)              { return nil, nil }
