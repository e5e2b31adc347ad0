package script

import (
	"strings"
)

// logbook keeps what a script prints, up to a number of lines and bytes.
type logbook struct {
	lines           []string
	left, leftBytes int
	full            bool
}

func (l *logbook) add(date, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if l.full {
			return
		}
		if date != "" {
			line = date + " " + line
		}
		if l.left == 0 || len(line) > l.leftBytes {
			l.lines = append(l.lines, "… the log is full; what follows is left out")
			l.full = true
			return
		}
		l.left--
		l.leftBytes -= len(line)
		l.lines = append(l.lines, line)
	}
}
