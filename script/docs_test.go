package script

import (
	"os"
	"strings"
	"testing"

	"ballast/script/dialect"
	"ballast/script/harness"
)

// TestDocsAreTheContract compares the page with the code: its example must pass the
// checks, and it must mention every name that a script can use.
func TestDocsAreTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/script-contract.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	_, after, _ := strings.Cut(page, "```python\n")
	example, _, found := strings.Cut(after, "```")
	if !found {
		t.Fatal("the page has no example")
	}
	mustCheck(t, example)
	if !strings.Contains(page, "describes "+HarnessVersion) {
		t.Errorf("the page does not name version %s", HarnessVersion)
	}
	missing := func(what string, marks ...string) {
		for _, m := range marks {
			if strings.Contains(page, m) {
				return
			}
		}
		t.Errorf("the page does not explain %s", what)
	}
	for _, n := range harness.Names() {
		if harness.KindOf(n) != "" { // on the page of its kind
			continue
		}
		missing("harness "+n, "| `"+harness.Signature(n).String()+"` | ")
	}
	for _, n := range contextList {
		missing("ctx."+n, "`ctx."+n)
	}
	for _, s := range contextMethods {
		missing("ctx."+s.Name, "`ctx."+s.String()+"`")
	}
	for _, n := range harness.Math().AttrNames() {
		missing("math."+n, " "+n+" ", "`"+n+" ", " "+n+"`")
	}
	for _, n := range inputKeys {
		missing("the input key "+n, "`"+n+"`")
	}
	for _, n := range tradedConstants {
		missing(n, "`"+n+"`")
	}
	for _, n := range (&harness.Vector{}).AttrNames() {
		missing("v."+n, "`v."+n+"()`")
	}
	for _, n := range (&harness.Matrix{}).AttrNames() {
		missing("m."+n, "`m."+n+"`", "`m."+n+"(")
	}
	for _, r := range []string{
		dialect.RuleSyntax, dialect.RuleConstantMissing, dialect.RuleConstantInvalid, dialect.RuleEntryPoint, dialect.RuleImportNotAllowed, dialect.RuleHarnessName,
		dialect.RuleNondeterministic, dialect.RuleInputs, dialect.RuleUniverse, dialect.RuleSymbol, dialect.RuleTooLarge,
	} {
		missing("the rule "+r, "| `"+r+"` |")
	}
}
