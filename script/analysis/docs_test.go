package analysis

import (
	"os"
	"strings"
	"testing"

	"ballast/script"
	"ballast/script/harness"
)

// The page explains every function, input and attribute, and its example is valid.
func TestDocsAreTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/analyses.md")
	check(t, err)
	page := string(text)
	_, after, _ := strings.Cut(page, "```python\n")
	example, _, _ := strings.Cut(after, "```")
	if _, problems := (script.Kinds{Kind}).Check(example, nil); len(problems) > 0 {
		t.Errorf("the example: %v", problems)
	}
	explained := func(what, mark string) {
		if !strings.Contains(page, mark) {
			t.Errorf("the page does not explain %s", what)
		}
	}
	for _, name := range Functions() {
		explained(name, "| `"+harness.SignatureIn(Kind.Name, name).String()+"` |")
	}
	for _, p := range Kind.Inputs {
		explained("the input "+p.Name, "`"+p.Name+"`")
	}
	for _, name := range contextList {
		if m := methods[name]; m != nil {
			explained("ctx."+name, "`ctx."+m.String()+"`")
		} else {
			explained("ctx."+name, "`ctx."+name+"`")
		}
	}
}
