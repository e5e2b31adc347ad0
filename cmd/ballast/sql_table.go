package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/query"
)

// mostShown and widestValue bound a table in a terminal: rows, and characters of a value.
const (
	mostShown   = 1000
	widestValue = 60
)

// writeTable writes an answer for a terminal of some width, 0 if it is unknown: with
// aligned columns and numbers to the right, or one line per value if the columns are wider
// than the terminal.
func writeTable(out io.Writer, answer query.Rows, width int) error {
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
				if batch.Column(i).IsNull(row) {
					text = "NULL"
				}
				line[i] = shortened(text)
			}
			lines = append(lines, line)
		}
	}
	if err := answer.Err(); err != nil {
		return err
	}
	var b strings.Builder
	if widths := widthsOf(lines); width > 0 && sum(widths)+2*(len(widths)-1) > width && len(lines) > 1 {
		writeRecords(&b, lines)
	} else {
		writeColumns(&b, lines, widths, fields)
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

// widthsOf returns the width of each column.
func widthsOf(lines [][]string) []int {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	return widths
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// padding returns spaces that fill text up to a width.
func padding(text string, width int) string {
	return strings.Repeat(" ", width-utf8.RuneCountInString(text))
}

// writeColumns writes one line per row. The first of the lines has the names.
func writeColumns(b *strings.Builder, lines [][]string, widths []int, fields []arrow.Field) {
	for k, line := range lines {
		for i, text := range line {
			if i > 0 {
				b.WriteString("  ")
			}
			if arrow.IsFloating(fields[i].Type.ID()) || arrow.IsInteger(fields[i].Type.ID()) {
				b.WriteString(padding(text, widths[i]) + text)
				continue
			}
			b.WriteString(text)
			if i < len(line)-1 {
				b.WriteString(padding(text, widths[i]))
			}
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
}

// writeRecords writes one line per value, each row under a line of its own.
func writeRecords(b *strings.Builder, lines [][]string) {
	widest := 0
	for _, name := range lines[0] {
		widest = max(widest, utf8.RuneCountInString(name))
	}
	for k, line := range lines[1:] {
		fmt.Fprintf(b, "-- row %d --\n", k+1)
		for i, text := range line {
			fmt.Fprintf(b, "%s%s  %s\n", lines[0][i], padding(lines[0][i], widest), text)
		}
	}
}

// shortened is a text on one line.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > widestValue {
		text = string([]rune(text)[:widestValue-1]) + "…"
	}
	return text
}
