package download_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ballast/script"
	"ballast/script/download"
)

// A download finds in files what the entries of the universe referred to when the script
// was accepted, by their symbols.
func TestMeaningsOfEntries(t *testing.T) {
	t.Parallel()
	const former = "asset_0190d5e47c1a7b3e8f00000000000001"
	source := strings.ReplaceAll(strings.ReplaceAll(plain, `"A"`, `"asset:A"`), `"B"`, `"`+former+`"`)
	p, problems := script.Check(source, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	text, err := download.Render(p, download.Options{Members: map[string]download.Member{
		"asset:A": {Kind: "asset", ID: "asset_1", Symbol: "A"}, former: {Kind: "asset", ID: former, Symbol: "B"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	percent := strings.NewReplacer("0.5", "50", "0.25", "25").Replace(plain)
	folder := t.TempDir()
	bars := save(t, folder, "bars.csv", []byte(smallBars))
	answers := runAll(t, []request{
		{save(t, folder, "meant.py", text), []string{"--bars", bars, "--json"}},
		{save(t, folder, "plain.py", render(t, plain)), []string{"--bars", bars, "--json"}},
		{save(t, folder, "word.py", render(t, strings.ReplaceAll(plain, `"A"`, `"model:A"`))), []string{"--bars", bars, "--json"}},
		{save(t, folder, "percent.py", render(t, percent)), []string{"--bars", bars, "--json"}},
	})
	var returns [3][]float64
	for i := range returns {
		var result struct{ Returns []float64 }
		if err := json.Unmarshal([]byte(answers[i].Out), &result); err != nil || len(result.Returns) == 0 {
			t.Fatalf("%d: %v: %s", i, err, answers[i].Errors)
		}
		returns[i] = result.Returns
	}
	for k := range returns[0] {
		if returns[0][k] != returns[1][k] || returns[2][k] != returns[1][k] {
			t.Errorf("%v, %v and %v", returns[0], returns[2], returns[1])
		}
	}
	if a := answers[3]; a.Code != 1 || !strings.Contains(a.Errors, "the weights add up to 75.0, which looks like percentages; weights are fractions of equity: 0.6 is 60 %") {
		t.Errorf("percentages: %d, %s", a.Code, a.Errors)
	}
}
