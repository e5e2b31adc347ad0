package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"ballast/internal/testenv"
)

// describedOf are the descriptions in the grammar's files, with members of the sample market
// in the place of others.
func describedOf(t *testing.T, files ...string) (list []string) {
	t.Helper()
	sampled := strings.NewReplacer("SPY", "SYN-LARGE", "AGG", "SYN-BOND", "BIL", "SYN-BILLS", "TLT", "SYN-LONG", "QQQ", "SYN-TECH", "GLD", "SYN-GOLD", "EFA", "SYN-EUROPE", `\n`, "\n")
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(testenv.Root(t), "program", "generate", "grammar", "testdata", file))
		check(t, err)
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "=>")
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				list = append(list, line, sampled.Replace(line))
			}
		}
	}
	return list
}

// TestRefusedWordsOverHTTP sends descriptions that are refused to every endpoint that takes
// some: each answer names what is wrong, proposes at most five others and stays under 2 kB.
func TestRefusedWordsOverHTTP(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	d.importMarket(t, t.TempDir())
	g := d.guest(t, "words")
	refused := map[string]int{}
	for _, prompt := range testenv.Some(t, 60, describedOf(t, "refused.txt", "corpus.txt", "forums.txt", "trees.txt", "simulations_refused.txt", "analyses_refused.txt")) {
		preview := g.call(http.MethodPost, "/v1/models/validate", map[string]string{"prompt": prompt})
		if preview.status != http.StatusOK {
			t.Fatalf("%q is previewed with %d: %s", prompt, preview.status, preview.body)
		}
		if gjson.Get(preview.body, "kind").String() != "" || len(gjson.Get(preview.body, "errors").Array()) == 0 {
			continue // it describes something, which would be built
		}
		refused["preview"]++
		isBrief(t, prompt, "a preview", preview.body, gjson.Get(preview.body, "errors"))
		for _, path := range []string{"/v1/models", "/v1/simulations", "/v1/analyses", "/v1/optimizers"} {
			a := g.call(http.MethodPost, path, map[string]string{"prompt": prompt})
			if a.status != http.StatusUnprocessableEntity {
				t.Errorf("POST %s answers %d to %q: %s", path, a.status, prompt, a.body)
				continue
			}
			refused[path]++
			isBrief(t, prompt, path, a.body, gjson.Get(a.body, "error.details"))
		}
	}
	t.Log(refused)
	if refused["preview"] < 15 {
		t.Errorf("only %d descriptions are refused", refused["preview"])
	}
}

// isBrief checks a refusal and the list of what was not understood.
func isBrief(t *testing.T, prompt, where, body string, problems gjson.Result) {
	t.Helper()
	proposed, said := 0, false
	for _, x := range problems.Array() {
		proposed += len(x.Get("accepted").Array())
		said = said || x.Get("message").String() != ""
	}
	if len(body) >= 2048 || proposed > 5 || !said {
		t.Errorf("%s refuses %q with %d bytes and %d proposals: %s", where, prompt, len(body), proposed, body)
	}
}
