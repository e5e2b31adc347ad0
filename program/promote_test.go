package program

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/script"
)

const promoted = `"""Weights."""
NAME = "Weighted"
SYMBOL = "WGT"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["AAA", "BBB"]},  # what is held
    "weight": {"type": "number", "default": 0.5},
    "since": {"type": "string", "format": "date", "default": None},
}

def decide(ctx):
    return {s: ctx.inputs.weight / 2 for s in ctx.universe}
`

// desk is a store with one model, whose runs are promoted, and other models that it
// can hold.
type desk struct {
	sheet    *Sheet
	runs     map[string]*Run
	builds   map[string]*Build
	others   map[string]*Sheet
	below    []Membership
	promote  func(base string) error
	promoted []*Build
}

func (d *desk) Run(_ context.Context, runID string) (*Run, error) {
	if r := d.runs[runID]; r != nil {
		return r, nil
	}
	return nil, fault.Missing("run", runID)
}

func (d *desk) Sheet(context.Context, string) (*Sheet, error) {
	m := *d.sheet
	return &m, nil
}

func (d *desk) Build(_ context.Context, buildID string) (*Build, error) {
	return d.builds[buildID], nil
}

func (d *desk) Models(context.Context, string, ModelFilter) ([]*Sheet, int, error) {
	return nil, 0, nil
}

func (d *desk) ModelsByKey(_ context.Context, _ string, keys []string) (map[string]*Sheet, error) {
	found := map[string]*Sheet{}
	for _, k := range keys {
		if m := d.others[k]; m != nil {
			found[k] = m
		}
	}
	return found, nil
}

func (d *desk) Below(context.Context, []string) ([]Membership, error) { return d.below, nil }

func (d *desk) ProgramID(_ context.Context, _, accountID, ref string) (string, error) {
	if m := d.sheet; accountID == m.AccountID && (ref == m.ID || ref == m.Symbol) {
		return m.ID, nil
	}
	return "", fault.Missing("model", ref)
}

func (d *desk) Served(ctx context.Context, modelID string) (*Sheet, error) {
	return d.Sheet(ctx, modelID)
}

func (*desk) ModelGroups(context.Context, string, ModelFilter, []string) ([]ModelGroup, error) {
	return nil, nil
}

func (d *desk) PatchModel(_ context.Context, _ string, p ModelPatch) error {
	_, err := p.Apply(&d.sheet.Model)
	return err
}

func (d *desk) Builds(_ context.Context, modelID string, _, _ int) ([]*Build, int, error) {
	var all []*Build
	for _, b := range d.builds {
		if b.ProgramID == modelID {
			all = append(all, b)
		}
	}
	return all, len(all), nil
}

func (d *desk) Runs(_ context.Context, modelID string, _ RunFilter) ([]*Run, int, error) {
	var all []*Run
	for _, r := range d.runs {
		if r.ProgramID == modelID {
			all = append(all, r)
		}
	}
	return all, len(all), nil
}

func (d *desk) Finished(context.Context, string) (<-chan struct{}, error) {
	ended := make(chan struct{})
	close(ended)
	return ended, nil
}

func (d *desk) CreateRun(_ context.Context, r *Run, _ int) error {
	d.runs[r.ID] = r
	return nil
}

func (d *desk) PatchRun(_ context.Context, runID string, p RunPatch) error {
	p.Label.apply(&d.runs[runID].Label)
	p.Shared.apply(&d.runs[runID].Shared)
	return nil
}

func (d *desk) DeleteRun(_ context.Context, runID string) error {
	delete(d.runs, runID)
	return nil
}

func (d *desk) Promote(_ context.Context, b *Build, r *Run, base string) error {
	if d.promote != nil {
		if err := d.promote(base); err != nil {
			return err
		}
	}
	d.promoted = append(d.promoted, b)
	d.runs[r.ID] = r
	return nil
}

// listings are assets called AAA to DDD.
type listings struct{ noSearch }

// noSearch finds no assets by words.
type noSearch struct{}

func (noSearch) SearchAssets(context.Context, string, int) ([]*catalog.Asset, error) { return nil, nil }

func (listings) AssetsBySymbol(_ context.Context, symbols []string) (map[string]*catalog.Asset, error) {
	found := map[string]*catalog.Asset{}
	for _, s := range symbols {
		if len(s) == 3 && strings.Count(s, s[:1]) == 3 && s < "EEE" {
			found[s] = &catalog.Asset{ID: "asset_" + s, Symbol: s}
		}
	}
	return found, nil
}

func (l listings) AssetsByID(ctx context.Context, ids []string) (map[string]*catalog.Asset, error) {
	found := map[string]*catalog.Asset{}
	for _, id := range ids {
		symbol := strings.TrimPrefix(id, "asset_")
		listed, _ := l.AssetsBySymbol(ctx, []string{symbol})
		if a := listed[symbol]; a != nil {
			found[id] = a
		}
	}
	return found, nil
}

func (listings) NearestSymbols(context.Context, []string) (map[string]string, error) {
	return map[string]string{}, nil
}

// newDesk has a model that serves text, and a run of the script ran with inputs.
func newDesk(t *testing.T, text, ran, inputs string) (*desk, *Services) {
	t.Helper()
	build := func(id, text string) *Build {
		p, problems := script.Check(text, nil)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return &Build{ID: id, Script: text, ScriptHash: p.Hash, Prompt: "weights", Generator: "grammar"}
	}
	served, earlier := build("build_1", text), build("build_0", ran)
	p, _ := script.Check(ran, nil)
	var values map[string]any
	if err := json.Unmarshal([]byte(inputs), &values); err != nil {
		t.Fatal(err)
	}
	in, details := p.Bind(values)
	if len(details) > 0 {
		t.Fatal(details)
	}
	model := Model{ID: "model_1", AccountID: "alice", Symbol: "WGT", BuildID: served.ID}
	d := &desk{
		sheet:  &Sheet{Model: model, Build: served, Live: &Run{ID: "run_live", BuildID: served.ID}},
		builds: map[string]*Build{served.ID: served, earlier.ID: earlier},
		runs: map[string]*Run{runNumber("1"): {
			ID: runNumber("1"), AccountID: "alice", ProgramID: "model_1", BuildID: earlier.ID, Status: RunComplete,
			ScriptHash: earlier.ScriptHash, Inputs: in.JSON(),
		}},
		others: map[string]*Sheet{},
	}
	return d, New(Config{
		Stores: Stores{Models: d, Members: d, Builds: d, Runs: d, RunChanges: d},
		Assets: listings{}, Logger: slog.New(slog.DiscardHandler),
	})
}

func TestPromote(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, served, ran, inputs string
		want                      [][2]string // replacements in the served script
		wantInputs                string
	}{
		{"values", promoted, promoted, `{"weight": 0.25, "universe": ["AAA", "CCC"], "since": "2020-01-01"}`,
			[][2]string{{"0.5", "0.25"}, {"BBB", "CCC"}, {"None", `"2020-01-01"`}},
			`{"initial_cash":10000,"since":"2020-01-01","start_date":null,"universe":["AAA","CCC"],"weight":0.25}`},
		{"cash is left out", promoted, promoted, `{"weight": 1, "initial_cash": 5000}`, [][2]string{{"0.5", "1.0"}},
			`{"initial_cash":10000,"since":null,"start_date":null,"universe":["AAA","BBB"],"weight":1}`},
		{"back to a default of before, which the present one would not accept", strings.Replace(promoted, "None", `"2020-01-01"`, 1), promoted, `{}`,
			[][2]string{{`"2020-01-01"`, "None"}}, `{"initial_cash":10000,"since":null,"start_date":null,"universe":["AAA","BBB"],"weight":0.5}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d, s := newDesk(t, test.served, test.ran, test.inputs)
			r, err := s.Runs.Promote(t.Context(), "alice", "mr-"+runNumber("1")[4:])
			if err != nil {
				t.Fatal(err)
			}
			want := test.served
			for _, w := range test.want {
				want = strings.Replace(want, w[0], w[1], 1)
			}
			b := d.promoted[0]
			if b.Script != want || b.Kind != "revision" || b.Prompt != "weights" || b.Generator != "grammar" || !strings.Contains(string(b.Validation), `"valid":true`) {
				t.Errorf("%+v", b)
			}
			if r.Source != SourcePromote || !r.Publishes || r.Status != RunQueued || r.BuildID != b.ID || r.ScriptHash != b.ScriptHash || string(r.Inputs) != test.wantInputs {
				t.Errorf("%+v, inputs %s", r, r.Inputs)
			}
		})
	}
}

// The promoted defaults hold what the run read, even if the names mean other things
// by now.
func TestPromotionKeepsMembersOfItsRun(t *testing.T) {
	t.Parallel()
	d, s := newDesk(t, promoted, promoted, `{"universe": ["AAA", "NEW"]}`)
	d.others["NEW"] = &Sheet{Model: Model{ID: "model_2"}}
	d.others["model_3"] = &Sheet{Model: Model{ID: "model_3", Symbol: "OLD"}}
	d.runs[runNumber("1")].Members = []Member{{Key: "AAA", Kind: MemberAsset, ID: "asset_AAA"}, {Key: "NEW", Kind: MemberModel, ID: "model_3"}}
	if _, err := s.Runs.Promote(t.Context(), "alice", runNumber("1")); err != nil {
		t.Fatal(err)
	}
	want := Entries{"AAA": {MemberAsset, "asset_AAA"}, "NEW": {MemberModel, "model_3"}}
	if diff := cmp.Diff(want, d.promoted[0].Entries); diff != "" {
		t.Error(diff)
	}
}

func TestPromoteRefuses(t *testing.T) {
	t.Parallel()
	changed := strings.Replace(promoted, "/ 2", "/ 3", 1)
	for _, test := range []struct {
		name   string
		served string
		inputs string
		change func(d *desk, r *Run)
		want   fault.Type
		at     string // the location of the first detail
	}{
		{"defaults", promoted, `{"weight": 0.5}`, nil, fault.AlreadyDefault, ""},
		{"values that have become defaults", strings.Replace(promoted, "0.5", "0.25", 1), `{"weight": 0.25}`, nil, fault.AlreadyDefault, ""},
		{"a start date", promoted, `{"weight": 0.25, "start_date": "2020-01-01"}`, nil, fault.NotPromotable, "run.inputs.start_date"},
		{"cash alone", promoted, `{"initial_cash": 5000}`, nil, fault.NotPromotable, "run.inputs.initial_cash"},
		{"another script", changed, `{"weight": 0.25}`, nil, fault.ScriptChanged, ""},
		{"a script that passes its checks no more", promoted, `{"weight": 0.25}`, func(d *desk, r *Run) {
			d.builds["build_0"].Script, r.ScriptHash = "NAME = 1", "x"
		}, fault.ScriptChanged, ""},
		{"a failed run", promoted, `{"weight": 0.25}`, func(_ *desk, r *Run) { r.Status = RunFailed }, fault.RunIncomplete, ""},
		{"a queued run", promoted, `{"weight": 0.25}`, func(_ *desk, r *Run) { r.Status = RunQueued }, fault.RunIncomplete, ""},
		{"another's, shared", promoted, `{"weight": 0.25}`, func(_ *desk, r *Run) { r.AccountID, r.Shared = "bob", true }, fault.NotFound, ""},
		{"a run in flight", promoted, `{"weight": 0.25}`, func(d *desk, _ *Run) { d.sheet.InFlight = &Run{} }, fault.RunConflict, ""},
		{"nothing served", promoted, `{"weight": 0.25}`, func(d *desk, _ *Run) { d.sheet.Live = nil }, fault.NotReady, ""},
		{"a run in flight by then", promoted, `{"weight": 0.25}`, func(d *desk, _ *Run) {
			d.promote = func(string) error { return PromotionConflict() }
		}, fault.RunConflict, ""},
		{"builds again and again", promoted, `{"weight": 0.25}`, func(d *desk, _ *Run) {
			d.promote = func(string) error { return ErrBuildMoved }
		}, fault.RunConflict, ""},
		{"a member that is gone", promoted, `{"universe": ["AAA", "GONE"]}`, nil, fault.UnknownMember, "run.inputs.universe[1]"},
		{"itself", promoted, `{"universe": ["WGT", "AAA"]}`, func(d *desk, _ *Run) {
			d.others["WGT"] = &Sheet{Model: Model{ID: "model_1"}}
		}, fault.ReferenceCycle, "run.inputs.universe[0]"},
		{"a holder", promoted, `{"universe": ["AAA", "TOP"]}`, func(d *desk, _ *Run) {
			d.others["TOP"] = &Sheet{Model: Model{ID: "model_2"}}
			d.below = []Membership{{HolderID: "model_2", MemberID: "model_1"}}
		}, fault.ReferenceCycle, "run.inputs.universe[1]"},
		{"a member that is gone, whatever has its name", promoted, `{"universe": ["AAA", "NEW"]}`, func(d *desk, r *Run) {
			d.others["NEW"] = &Sheet{Model: Model{ID: "model_2"}}
			r.Members = []Member{{Key: "AAA", Kind: MemberAsset, ID: "asset_AAA"}, {Key: "NEW", Kind: MemberModel, ID: "model_3"}}
		}, fault.UnknownMember, "run.inputs.universe[1]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d, s := newDesk(t, test.served, promoted, test.inputs)
			if test.change != nil {
				test.change(d, d.runs[runNumber("1")])
			}
			_, err := s.Runs.Promote(t.Context(), "alice", runNumber("1"))
			var f *fault.Error
			if !errors.As(err, &f) || f.Type != test.want {
				t.Fatalf("%v, want %s", err, test.want)
			}
			if test.at != "" && (len(f.Details) == 0 || f.Details[0].Name() != test.at) {
				t.Errorf("%+v", f.Details)
			}
			if len(d.promoted) > 0 {
				t.Error("it is stored all the same")
			}
		})
	}
}

// If another build is published during a promotion, the promotion uses its script.
func TestPromoteBeginsAnew(t *testing.T) {
	t.Parallel()
	d, s := newDesk(t, promoted, promoted, `{"weight": 0.25}`)
	next := *d.sheet.Build
	next.ID, next.Script = "build_2", strings.Replace(promoted, "AAA", "CCC", 1)
	d.promote = func(base string) error {
		if base == "build_2" {
			return nil
		}
		d.sheet.BuildID, d.sheet.Build = next.ID, &next
		return ErrBuildMoved
	}
	if _, err := s.Runs.Promote(t.Context(), "alice", runNumber("1")); err != nil {
		t.Fatal(err)
	}
	// The run keeps its own universe, whatever the new build holds.
	if want := strings.Replace(promoted, "0.5", "0.25", 1); len(d.promoted) != 1 || d.promoted[0].Script != want {
		t.Errorf("%+v", d.promoted)
	}
}

func (*desk) OptimizerNames(context.Context, string) ([]string, error) { return nil, nil }
