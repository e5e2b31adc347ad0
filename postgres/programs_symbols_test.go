package postgres_test

import (
	"io"
	"log/slog"
	"sync"
	"testing"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/generate/grammar"
)

// Models that are created from the same words at the same moment each get a symbol of
// their own: the callers gave none, so none is told that a symbol is taken. None of the
// symbols is an asset's.
func TestSymbolsOfModelsMadeTogether(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	listed := asset("SPYANDAG", "An asset", "etf")
	upsert(t, db, asset("SPY", "SPDR S&P 500", "etf"), asset("AGG", "iShares Aggregate", "etf"), listed)
	s := program.New(program.Config{Stores: db.ProgramStores(), Assets: db, Grammar: grammar.Generator{}, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	const models = 40
	symbols := make([]string, models)
	errs := make([]error, models)
	var together sync.WaitGroup
	for i := range models {
		together.Go(func() {
			var m *program.Sheet
			if m, errs[i] = s.Builder.Create(t.Context(), a, program.CreateRequest{Prompt: `Call it "SPY and AGG": 60% SPY and 40% AGG, rebalanced monthly`}); errs[i] == nil {
				symbols[i] = m.Symbol
			}
		})
	}
	together.Wait()
	seen := map[string]bool{}
	for i, symbol := range symbols {
		if errs[i] != nil || seen[symbol] || symbol == listed.Symbol {
			t.Errorf("model %d: symbol %q, %v", i, symbol, errs[i])
		}
		seen[symbol] = true
	}
	_, err := s.Models.Patch(t.Context(), a, symbols[0], program.ModelPatch{Symbol: given(listed.Symbol)})
	wantFault(t, err, fault.SymbolTaken)
}

// What a script's universe means is stored with its build and returned with it.
func TestEntriesAreKept(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := newDraft(a, "X")
	d.build.Entries = program.Entries{"GOLD": {Kind: program.MemberAsset, ID: "asset_1"}}
	d.run.Entries = program.Entries{"SILVER": {Kind: program.MemberModel, ID: "model_1"}}
	_, err := db.CreateModel(t.Context(), d.model, d.build, d.run)
	must(t, err)
	must(t, db.KeepEntries(t.Context(), d.build.ID, program.Entries{"GOLD": {Kind: program.MemberModel, ID: "model_2"}}))
	run, build, _, err := db.StartRun(t.Context(), d.run.ID)
	must(t, err)
	if build.Entries["GOLD"] != d.build.Entries["GOLD"] || run.Entries["SILVER"] != d.run.Entries["SILVER"] {
		t.Errorf("build %v, run %v", build.Entries, run.Entries)
	}
	other := create(t, db, a, "Y")
	must(t, db.KeepEntries(t.Context(), other.build.ID, program.Entries{"GOLD": {Kind: program.MemberModel, ID: "model_2"}}))
	if b, err := db.Build(t.Context(), other.build.ID); err != nil || b.Entries["GOLD"].ID != "model_2" {
		t.Errorf("%+v, %v", b, err)
	}
}
