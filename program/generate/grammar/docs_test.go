package grammar

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/program/generate"
)

// TestDocs compares docs/prompts.md with the code: its examples give scripts that
// run, and what it says is refused is refused.
func TestDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "prompts.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for i, block := range strings.Split(string(text), "```\n") {
		if i%2 == 0 {
			continue
		}
		for line := range strings.Lines(block) {
			prompt := strings.TrimSpace(line)
			examples++
			t.Run(prompt, func(t *testing.T) {
				t.Parallel()
				run(t, Write(understand(t, prompt)))
			})
		}
	}
	if examples < 50 {
		t.Errorf("only %d examples", examples)
	}
	refused := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(string(text), -1)
	if len(refused) < 5 {
		t.Errorf("only %d refusals", len(refused))
	}
	for _, r := range refused {
		var unknown *generate.NotUnderstood
		if _, err := Understand(t.Context(), newShelf(), r[1]); !errors.As(err, &unknown) {
			t.Errorf("%s: %v", r[1], err)
		}
	}
}

func TestAcceptedIsAccepted(t *testing.T) {
	t.Parallel()
	for _, hint := range []string{accepted[0], accepted[1], accepted[2], accepted[3], accepted[4], accepted[8], accepted[10], accepted[11], accepted[12], accepted[13], accepted[14]} {
		run(t, Write(understand(t, hint)))
	}
}
