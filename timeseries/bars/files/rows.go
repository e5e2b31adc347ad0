package files

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"ballast/internal/fault"
)

// rows returns the cells of a table row by row, and io.EOF at the end. The cells
// are valid until the next call. A *malformed error concerns one row only.
type rows interface {
	next() (cells []string, line int64, err error)
}

// malformed is the error of a row that cannot be split into cells.
type malformed struct{ what string }

func (m *malformed) Error() string { return m.what }

// headBytes limits the header, in which the separator is detected.
const headBytes = 1 << 20

// comma detects the separator of a text: the one that is most frequent in its first line.
func comma(line string) rune {
	best := ','
	for _, c := range ";\t|" {
		if strings.Count(line, string(c)) > strings.Count(line, string(best)) {
			best = c
		}
	}
	return best
}

// textRows returns the rows of a CSV file.
type textRows struct {
	name   string
	csv    *csv.Reader
	budget *budget
	skip   int64 // lines before the header
	damage func(error) error
}

// newTextRows reads text and detects its separator from the first line. It accepts
// the line endings of all systems.
func newTextRows(name string, plain io.Reader, damage func(error) error) (*textRows, error) {
	buffered := bufio.NewReaderSize(plain, headBytes)
	var skip int64
	for {
		head, err := buffered.Peek(headBytes)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, damage(err)
		}
		if len(bytes.TrimSpace(head)) == 0 {
			return nil, fault.New(fault.InvalidBody, "%s is empty", name)
		}
		if err := refuseOthers(name, head); err != nil {
			return nil, err
		}
		end := bytes.IndexAny(head, "\r\n")
		line := head
		if end >= 0 {
			line = head[:end]
		}
		if len(line) >= headBytes-4 || bytes.IndexByte(line, 0) >= 0 || !utf8.Valid(line) {
			return nil, fault.New(fault.InvalidBody, "%s is neither CSV in UTF-8 or UTF-16 nor Parquet; save it as CSV UTF-8", name)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			if bytes.HasPrefix(head[end:], []byte("\r\n")) {
				end++
			}
			if _, err := buffered.Discard(end + 1); err != nil {
				return nil, damage(err)
			}
			skip++
			continue
		}
		var from io.Reader = buffered
		if end >= 0 && head[end] == '\r' && !bytes.Contains(head, []byte("\n")) {
			from = returns{buffered}
		}
		budget := &budget{r: from}
		r := csv.NewReader(budget)
		r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma(string(line)), -1, true
		return &textRows{name: name, csv: r, budget: budget, skip: skip, damage: damage}, nil
	}
}

// rowBytes limits a row, because an unclosed quote would read the rest of the file into
// memory.
const rowBytes = 4 << 20

var errLongRow = errors.New("row too long")

// budget fails if more than left bytes are read for one row.
type budget struct {
	r    io.Reader
	left int
}

func (b *budget) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongRow
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// returns converts single carriage returns to line feeds: they end the lines of old
// Macintosh files and of Excel's CSV (Macintosh).
type returns struct{ r io.Reader }

func (r returns) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	for i := range n {
		if p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

func (t *textRows) next() ([]string, int64, error) {
	for {
		t.budget.left = rowBytes
		cells, err := t.csv.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil, 0, io.EOF
		case errors.Is(err, errLongRow):
			return nil, 0, fault.New(fault.InvalidBody, "%s has a row longer than %d MB; it has an unclosed quote or is not CSV", t.name, rowBytes>>20)
		case errors.As(err, &wrong):
			return nil, t.skip + int64(wrong.StartLine), &malformed{"a quote is unclosed or misplaced"}
		case err != nil:
			return nil, 0, t.damage(err)
		}
		line, _ := t.csv.FieldPos(0)
		if len(cells) == 1 && strings.TrimSpace(cells[0]) == "" {
			continue
		}
		if !slices.ContainsFunc(cells, func(c string) bool { return !utf8.ValidString(c) }) {
			return cells, t.skip + int64(line), nil
		}
		return nil, t.skip + int64(line), &malformed{"the text is not UTF-8"}
	}
}
