package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newBar draws progress where w is a terminal and nothing where it is not.
func newBar(w io.Writer, title string) *progressbar.ProgressBar {
	return progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(title), progressbar.OptionSetVisibility(isTerminal(w)),
		progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100_000_000), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
}
