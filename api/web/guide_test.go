package web

import (
	"strings"
	"testing"

	"ballast/docs"
)

// Every page of the documentation is in the list of guides, or is a decision that the
// list of decisions links to.
func TestGuidesAreListed(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, group := range guideGroups {
		for _, g := range group.Guides {
			if listed[g.Name] || g.Title == "" || g.About == "" {
				t.Errorf("%s is listed twice or without a title or subject", g.Name)
			}
			listed[g.Name] = true
		}
	}
	decisions := string(docs.Page("decisions/README"))
	for _, name := range docs.Names() {
		if page, decision := strings.CutPrefix(name, "decisions/"); decision && page != "README" {
			if !strings.Contains(decisions, "("+page+".md)") {
				t.Errorf("the list of decisions lacks %s", page)
			}
		} else if !listed[name] {
			t.Errorf("%s is not on the list of guides", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("%s is listed but does not exist", name)
	}
}

// Pages are rendered when they are first read, so a start does not show that one cannot be.
func TestEveryGuideIsRendered(t *testing.T) {
	t.Parallel()
	for _, name := range docs.Names() {
		if page, err := renderGuide(name, docs.Page(name)); err != nil || len(page) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
