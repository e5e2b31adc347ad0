package console

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// diffLine is a line of a difference, with what happened to it.
type diffLine struct {
	Kind string // del, ins, or "" for a line that is the same
	Text string
}

// diffContext is how many equal lines are shown around a change.
const diffContext = 3

// diffOf returns the changed lines from one script to another with some lines around
// them; nil if the scripts are the same. Parts of the script are divided by a line with
// an ellipsis.
func diffOf(before, after string) []diffLine {
	if before == after {
		return nil
	}
	unified, err := udiff.ToUnifiedDiff("", "", before, udiff.Strings(before, after), diffContext)
	if err != nil { // edits that were just computed fit
		return nil
	}
	var lines []diffLine
	for i, hunk := range unified.Hunks {
		if i > 0 {
			lines = append(lines, diffLine{Text: "…"})
		}
		for _, line := range hunk.Lines {
			kind := map[udiff.OpKind]string{udiff.Delete: "del", udiff.Insert: "ins", udiff.Equal: ""}[line.Kind]
			lines = append(lines, diffLine{kind, strings.TrimSuffix(line.Content, "\n")})
		}
	}
	return lines
}
