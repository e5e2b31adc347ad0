package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/query"
)

// Limits of a table on a terminal: the number of rows, and the characters of a value.
const (
	mostShown   = 1000
	widestValue = 60
)

// writeTable writes an answer with aligned columns; numbers are aligned right.
func writeTable(out io.Writer, answer *query.Answer) error {
	fields := answer.Schema().Fields()
	lines := [][]string{make([]string, len(fields))}
	for i, f := range fields {
		lines[0][i] = f.Name
	}
	n := int64(0)
	for answer.Next() {
		batch := answer.Batch()
		for row := range int(batch.NumRows()) {
			if n++; n > mostShown {
				continue
			}
			line := make([]string, len(fields))
			for i := range line {
				text, err := query.Format(batch.Column(i), row)
				if err != nil {
					return err
				}
				line[i] = shortened(text)
			}
			lines = append(lines, line)
		}
	}
	if err := answer.Err(); err != nil {
		return err
	}
	widths := make([]int, len(fields))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	for k, line := range lines {
		for i, text := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if arrow.IsFloating(fields[i].Type.ID()) || arrow.IsInteger(fields[i].Type.ID()) {
				text = pad + text
			} else if i < len(line)-1 {
				text += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
		if k == 0 {
			for i, w := range widths {
				if i > 0 {
					b.WriteString("  ")
				}
				b.WriteString(strings.Repeat("-", w))
			}
			b.WriteByte('\n')
		}
	}
	switch {
	case n > mostShown:
		fmt.Fprintf(&b, "%d rows, of which %d are shown; --csv writes all\n", n, mostShown)
	case answer.Cut():
		fmt.Fprintf(&b, "the first %d rows\n", n)
	case n != 1:
		fmt.Fprintf(&b, "%d rows\n", n)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// shortened puts a text on one line and cuts it to widestValue characters.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > widestValue {
		text = string([]rune(text)[:widestValue-1]) + "…"
	}
	return text
}
