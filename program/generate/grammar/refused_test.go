package grammar

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/program/generate"
)

func TestPromptsAreRefused(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		count++
		prompt, words, ok := strings.Cut(line, "=>")
		if !ok {
			t.Fatalf("no words: %s", line)
		}
		prompt = strings.ReplaceAll(strings.TrimSpace(prompt), `\n`, "\n")
		want := strings.TrimSpace(words)
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			plan, err := Understand(t.Context(), newShelf(), prompt)
			var unknown *generate.NotUnderstood
			if !errors.As(err, &unknown) {
				t.Fatalf("%s was understood: %v\n%s", prompt, err, Describe(plan))
			}
			var got []string
			for _, w := range unknown.Words {
				text := w.Text
				if at := []rune(prompt)[w.Offset:]; w.Text != "" && !strings.HasPrefix(string(at), w.Text) && !strings.HasPrefix(string(at[1:]), w.Text) {
					t.Errorf("%q is not at %d", w.Text, w.Offset)
				}
				if w.Message == "" {
					t.Errorf("%q has no message", w.Text)
				}
				if w.Member {
					text = "*" + text
				}
				if text != "" {
					got = append(got, text)
				}
			}
			if d := cmp.Diff(want, strings.Join(got, " | ")); d != "" {
				t.Errorf("%s (-want +got):\n%s%+v", prompt, d, unknown.Words)
			}
			if len(unknown.Accepted) == 0 {
				t.Error("nothing is said to be accepted")
			}
		})
	}
	if count < 50 {
		t.Errorf("only %d prompts are tried", count)
	}
}

func TestNamesOfSeveralModels(t *testing.T) {
	t.Parallel()
	library := newShelf()
	for i := range library.models[:2] {
		library.models[i].Name, library.models[i].Namesakes = "Double", []string{"model_1", "model_2"}
	}
	_, err := Understand(t.Context(), library, `half "Double", half SPY`)
	var unknown *generate.NotUnderstood
	if !errors.As(err, &unknown) || len(unknown.Words) != 1 || !unknown.Words[0].Member || !strings.Contains(unknown.Words[0].Message, "several of your models (model_1, model_2)") {
		t.Errorf("%v: %+v", err, unknown)
	}
	library.models[0].Namesakes = nil // as it is found by its symbol
	if _, err := Understand(t.Context(), library, `half RMOM, half SPY`); err != nil {
		t.Error(err)
	}
}

// TestNamesAmongWords checks that the name of a model without quotation marks is not taken
// out of the middle of other words.
func TestNamesAmongWords(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"30% in Trend of SPY, 70% SPY", "30% trend on GLD, 70% SPY", "30% Regional momentum of SPY and EFA, 70% AGG", "a Trend in SPY",
	} {
		script, strange := modelOf(t, newShelf(), prompt)
		if strange == nil || !strings.Contains(fmt.Sprint(strange.Words), "is this your model") {
			t.Errorf("%s: %+v\n%s", prompt, strange, script)
		}
	}
	for _, prompt := range []string{`30% in "Trend", 70% SPY`, "30% in Trend, 70% SPY", "70% SPY and 30% TRND", "hold Trend when SPY is above its 200 day average, otherwise BIL"} {
		if script := understoodAs(t, prompt); !strings.Contains(script, "TRND") {
			t.Errorf("%s does not hold the model:\n%s", prompt, script)
		}
	}
}

// TestStrategiesAreDescribed checks that what follows the word for a kind of strategy is
// held, and not the account's model of that name.
func TestStrategiesAreDescribed(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"30% in a trend strategy that holds SPY above its 200 day average else BIL, 70% in 60/40 SPY/AGG",
		"30% in a Trend strategy that holds SPY above its 200 day average else BIL, 70% in 60/40 SPY/AGG",
	} {
		if script := understoodAs(t, prompt); strings.Contains(script, "TRND") || !strings.Contains(script, `"SPY"`) {
			t.Errorf("%s:\n%s", prompt, script)
		}
	}
}

// either knows two names that belong to an asset and to a model, one of them as a symbol
// that the shelf has too.
type either struct{ *shelf }

func (e either) Members(ctx context.Context, names []string) (map[string]generate.Member, error) {
	found, err := e.shelf.Members(ctx, names)
	for _, n := range names {
		if n == "TLT" || n == "ZGOLD" {
			found[n] = generate.Member{Name: n, Namesakes: []string{"asset_1", "model_1"}}
		}
	}
	return found, err
}

func TestNamesOfAnAssetAndAModel(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"half TLT, half SPY", "50% ZGOLD, 50% SPY, rebalanced quarterly", "50% TLT, 50% SPY, rebalanced quarterly", "equal weight SPY, TLT and AGG, monthly", "SPY when above its 200 day average, otherwise TLT"} {
		_, err := written(t.Context(), either{newShelf()}, generate.Request{Prompt: prompt})
		var unknown *generate.NotUnderstood
		if !errors.As(err, &unknown) || len(unknown.Words) != 1 || !slices.Contains([]string{"TLT", "ZGOLD"}, unknown.Words[0].Text) || !unknown.Words[0].Member || !strings.Contains(unknown.Words[0].Message, "names an asset and one of your models (asset_1, model_1)") {
			t.Errorf("%s: %v: %+v", prompt, err, unknown)
		}
	}
}

// TestSaidWhich checks that such a name can say which of the two it means.
func TestSaidWhich(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"50% asset:GLD, 50% SPY": "GLD SPY", "asset:GLD and SPY equally": "GLD SPY", "50% model:CORE, 50% SPY": "CORE SPY", `50% "Trend", 50% SPY`: "TRND SPY",
	} {
		plan, err := Understand(t.Context(), newShelf(), prompt)
		if err != nil || strings.Join(keysOf(plan.Pool), " ") != want {
			t.Errorf("%s: %+v, %v", prompt, plan, err)
		}
	}
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	_, err := Understand(t.Context(), newShelf(), "60% SPYY, 30% spi and 10% AGG, rebalanse quaterly")
	var unknown *generate.NotUnderstood
	if !errors.As(err, &unknown) {
		t.Fatal(err)
	}
	var got []string
	for _, w := range unknown.Words {
		got = append(got, w.Text+" → "+w.Suggestion)
	}
	want := []string{"SPYY → SPY", "spi → SPY", "rebalanse → rebalance", "quaterly → quarterly"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestKindsOfStrategiesAreNoModels refuses words that say what kind of strategy is meant,
// although the account has models of these names.
func TestKindsOfStrategiesAreNoModels(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"half in the trend strategy, half SPY",
		"50% trend model of SPY and BIL, 50% AGG",
		"40% core allocation of SPY, 60% AGG",
	} {
		if text, err := written(t.Context(), newShelf(), generate.Request{Prompt: prompt}); !isStrange(err) {
			t.Errorf("%s: %v: %s", prompt, err, text)
		}
	}
	for _, prompt := range []string{"50% Trend, 50% SPY", "50% in the Trend model, 50% SPY", `30% in "Trend", 70% SPY`} {
		if text, err := written(t.Context(), newShelf(), generate.Request{Prompt: prompt}); err != nil || !strings.Contains(text, `"TRND"`) {
			t.Errorf("%s: %v: %s", prompt, err, text)
		}
	}
}
