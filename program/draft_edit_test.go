package program

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/internal/fault"
)

func TestUneditedPartsOfDraftsFollowTheStrategy(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	before, now := &Strategy{Hash: "1", Script: "one", Prompt: "p"}, &Strategy{Hash: "2", Script: "two", Prompt: "q"}
	at := time.Unix(9, 0)
	for _, test := range []struct {
		name  string
		saved *SavedDraft
		want  Draft
	}{
		{"never saved", nil, Draft{ModelID: "m", BaseHash: "2", Script: "two", Prompt: "q"}},
		{"nothing edited", &SavedDraft{Version: 3, BaseHash: "1", UpdatedAt: at}, Draft{ModelID: "m", Version: 3, BaseHash: "2", Script: "two", Prompt: "q", UpdatedAt: &at}},
		{"edited", &SavedDraft{Version: 3, BaseHash: "1", Script: text("mine"), UpdatedAt: at}, Draft{ModelID: "m", Version: 3, BaseHash: "1", Script: "mine", Prompt: "q", Dirty: true, UpdatedAt: &at}},
		{"edited to what is served now", &SavedDraft{Version: 3, BaseHash: "1", Script: text("two"), UpdatedAt: at}, Draft{ModelID: "m", Version: 3, BaseHash: "2", Script: "two", Prompt: "q", UpdatedAt: &at}},
		{"words alone", &SavedDraft{Version: 3, BaseHash: "1", Prompt: text("mine"), UpdatedAt: at}, Draft{ModelID: "m", Version: 3, BaseHash: "1", Script: "two", Prompt: "mine", Dirty: true, UpdatedAt: &at}},
	} {
		if diff := cmp.Diff(&test.want, now.draft("m", test.saved)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	if d := before.draft("m", &SavedDraft{Script: text("one"), BaseHash: "0"}); d.Dirty || d.BaseHash != "1" {
		t.Errorf("%+v", d)
	}
}

// Editors who save what they have read never undo each other's edits unnoticed, and a
// draft contains what its last accepted save contained.
func TestDraftEditsMatchSimpleModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"one", "two", "three"})
		s := &Strategy{Hash: "h-one", Script: "one", Prompt: "one"}
		var saved *SavedDraft
		version, prompt := 0, "one"
		t.Repeat(map[string]func(*rapid.T){
			"the model serves another strategy": func(t *rapid.T) {
				w := words.Draw(t, "served")
				s = &Strategy{Hash: "h-" + w, Script: w, Prompt: s.Prompt}
			},
			"save": func(t *rapid.T) {
				e := DraftEdit{ModelID: "m", ExpectedVersion: version + rapid.IntRange(-1, 0).Draw(t, "late"), BaseHash: "h-" + words.Draw(t, "base")}
				if rapid.Bool().Draw(t, "script") {
					w := words.Draw(t, "text")
					e.Script = &w
				}
				if rapid.Bool().Draw(t, "prompt") {
					w := words.Draw(t, "words")
					e.Prompt = &w
				}
				e.Reset = e.Script == nil && e.Prompt == nil && rapid.Bool().Draw(t, "reset")
				next, err := e.Apply(saved, s, time.Unix(1, 0))
				if stale := e.ExpectedVersion != version || e.BaseHash != s.Hash; stale != (fault.TypeOf(err) == fault.DraftConflict && err != nil) {
					t.Fatalf("%+v at version %d of %+v: %v", e, version, s, err)
				}
				if err != nil {
					return
				}
				saved, version = next, version+1
				if e.Reset {
					prompt = s.Prompt
				}
				if e.Prompt != nil {
					prompt = *e.Prompt
				}
			},
			"": func(t *rapid.T) {
				d := s.draft("m", saved)
				if d.Version != version || d.Prompt != prompt || d.Dirty != (d.Script != s.Script || d.Prompt != s.Prompt) {
					t.Fatalf("%+v, want version %d and prompt %s", d, version, prompt)
				}
				if saved != nil && saved.Script != nil && d.Script != *saved.Script || (saved == nil || saved.Script == nil) && d.Script != s.Script {
					t.Fatalf("%+v of %+v", d, saved)
				}
			},
		})
	})
}

func TestWhatNoDraftCanBe(t *testing.T) {
	t.Parallel()
	blank, text := " ", "x"
	for name, e := range map[string]DraftEdit{
		"reset with a script": {Reset: true, Script: &text}, "reset with a prompt": {Reset: true, Prompt: &text}, "blank prompt": {Prompt: &blank},
	} {
		if err := e.checked(); fault.TypeOf(err) != fault.InvalidBody {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (DraftEdit{Script: &blank}).checked(); err != nil {
		t.Errorf("a script that does not validate is refused: %v", err)
	}
}
