package grammar

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/program/generate"
)

// refusal returns how the description of a model is refused; nil if it is not.
func refusal(t *testing.T, prompt string) *generate.NotUnderstood {
	t.Helper()
	_, err := New().Generate(t.Context(), newShelf(), generate.Request{Prompt: prompt})
	var strange *generate.NotUnderstood
	if err != nil && !errors.As(err, &strange) {
		t.Fatal(err)
	}
	return strange
}

// TestRefusalsProposeOwnSentences checks what is proposed for descriptions that are nearly
// understood.
func TestRefusalsProposeOwnSentences(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"BRK-B and SYN-LARGE": "did you mean: equal weight BRK-B and SYN-LARGE?",
		"hold BRK-B if its mood is good, otherwise SYN-BILLS": "hold BRK-B when above its 200 day moving average, otherwise SYN-BILLS?",
		"SPY and AGG":                                            "did you mean: equal weight SPY and AGG?",
		"top 3 of VTI, EFA, EEM, AGG":                            "did you mean: top 3 of VTI, EFA, EEM, AGG by 6 month momentum, monthly?",
		"60% SPYY, 40% AGG rebalanse quaterly":                   "did you mean: 60% SPY, 40% AGG rebalance quarterly?",
		"60% SPY, 40% AGG with a stop loss":                      "did you mean: 60% SPY, 40% AGG?",
		"hold IWM if over its 50 dma or so else SHY maybe":       "hold IWM",
		"QQQ when VIX is below 20 otherwise SHY":                 "VIX, an index of volatility, is not in the catalog",
		"hold SPY if unemployment rate is falling otherwise BIL": "unemployment rate, a figure of the economy, is not in the catalog",
		"when P/E of SPY is under 15 buy SPY":                    "P/E, a ratio of prices and earnings, is not in the catalog",
		"SPY if CAPE is below 20 otherwise TLT":                  "CAPE, a ratio of prices and earnings",
		"if the 10 year yield rises hold BIL, otherwise TLT":     "10 year yield, a yield",
		"put $1,000 per month into VTI":                          `as a simulation, send "save 1,000 a month in VTI for 30 years" to POST /v1/simulations`,
		"dollar cost average into QQQ":                           `send "save 500 a month in QQQ for 30 years" to POST /v1/simulations`,
		"invest $500 a month in 60/40 SPY/AGG":                   "send it to POST /v1/simulations",
	} {
		strange := refusal(t, prompt)
		if strange == nil || len(strange.Words) == 0 || !strings.Contains(strange.Words[0].Message, want) {
			t.Errorf("%q: %v, not %q", prompt, strange, want)
		}
	}
}

// refusedDescriptions are those of all corpora that are refused.
func refusedDescriptions(t *testing.T) (list []string) {
	t.Helper()
	for _, file := range []string{"refused.txt", "corpus.txt", "forums.txt", "trees.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "=>")
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				list = append(list, strings.ReplaceAll(line, `\n`, "\n"))
			}
		}
	}
	return list
}

// TestRefusalsAreShortAndHelp checks each refusal of the corpora: it stays short, proposes
// at most five descriptions, and those are understood and hold members of the refused one.
func TestRefusalsAreShortAndHelp(t *testing.T) {
	t.Parallel()
	library, count := newShelf(), 0
	for _, prompt := range testenv.Some(t, 80, refusedDescriptions(t)) {
		strange := refusal(t, prompt)
		if strange == nil {
			continue
		}
		count++
		isShort(t, prompt, strange)
		p, err := begin(t.Context(), english(), library, prompt)
		if err != nil {
			continue
		}
		elsewhere := strings.Contains(strange.Words[0].Message, "send ") && len(strange.Accepted) > 0 && strings.Contains(strange.Words[0].Message, " to POST /v1/")
		for _, text := range strange.Accepted {
			if _, err := modelScript(t.Context(), library, generate.Request{Prompt: text}); err != nil && !elsewhere {
				t.Errorf("%q proposes %q: %v", prompt, text, err)
			}
		}
		if own := p.ownMembers(); len(own) > 0 && !elsewhere && !strings.Contains(strange.Accepted[0], own[0]) {
			t.Errorf("%q proposes %q, without its member %s", prompt, strange.Accepted[0], own[0])
		}
	}
	if count < 20 {
		t.Errorf("only %d refusals", count)
	}
}

// isShort checks that a refusal, with what carries it, stays under 2 kB.
func isShort(t *testing.T, prompt string, strange *generate.NotUnderstood) {
	t.Helper()
	text, err := json.Marshal(strange)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 1700 || len(strange.Accepted) > mostAccepted || len(strange.Words) > mostRefused {
		t.Errorf("%.80q is refused with %d bytes:\n%s", prompt, len(text), text)
	}
}

// TestRefusalsOfAnyTextAreShort refuses random texts.
func TestRefusalsOfAnyTextAreShort(t *testing.T) {
	t.Parallel()
	chance := testenv.Random(t, 21, 22)
	for range testenv.Rounds(60, 3000) {
		var b strings.Builder
		for range 1 + chance.IntN(60) {
			switch chance.IntN(12) {
			case 0:
				b.WriteRune(rune(chance.IntN(0x3000)))
			case 1:
				b.WriteString(strings.Repeat(string(rune('a'+chance.IntN(26))), 1+chance.IntN(300)))
			default:
				b.WriteString(fragments[chance.IntN(len(fragments))])
			}
		}
		if strange := refusal(t, b.String()); strange != nil {
			isShort(t, b.String(), strange)
		}
	}
}

func TestExamplesAreUnderstood(t *testing.T) {
	t.Parallel()
	for _, text := range examples {
		if _, err := modelScript(t.Context(), newShelf(), generate.Request{Prompt: text}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
