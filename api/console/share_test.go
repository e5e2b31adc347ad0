package console

import (
	"testing"

	"ballast/program/shares"
)

func TestEveryPanelHasWords(t *testing.T) {
	t.Parallel()
	for _, p := range shares.Panels {
		if panelWords[p] == "" {
			t.Errorf("the form has no words for the part %q", p)
		}
	}
}
