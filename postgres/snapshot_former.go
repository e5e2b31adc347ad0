package postgres

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"ballast/operate/backup"
	"ballast/postgres/embedded"
)

// Dumped returns the rows of a file that pg_dump has written.
func (db *DB) Dumped(file string, server int) backup.Source { return dumpedFile{file, server} }

// dumpedFile is a file in pg_dump's custom format. It contains SQL and may come from
// an untrusted source. So pg_restore converts it to text, without a database, and only
// rows and the values of sequences are read from that text.
type dumpedFile struct {
	file   string
	server int // major version of PostgreSQL that wrote it
}

// Dump passes the file's rows to write.
func (d dumpedFile) Dump(ctx context.Context, write backup.WriteTable) (_ *backup.Database, err error) {
	cmd, err := embedded.Tool(ctx, "pg_restore", d.server, "--data-only", "--no-owner", "--no-privileges", "--file=-", d.file)
	if err != nil {
		return nil, err
	}
	text, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out := &backup.Database{Server: d.server, Sequences: map[string]int64{}}
	s := &dumpScanner{r: bufio.NewReaderSize(text, 1<<16)}
	err = s.scan(out, write)
	if err != nil {
		_ = text.Close() // pg_restore ends on the next write
	}
	if ended := cmd.Wait(); err == nil && ended != nil {
		err = fmt.Errorf("pg_restore: %w: %s", ended, strings.TrimSpace(said.String()))
	}
	if err != nil {
		return nil, fmt.Errorf("read the backup's dump: %w", err)
	}
	return out, nil
}

// The lines of a dump that matter. Settings, comments and psql's commands are skipped.
var (
	copyLine     = regexp.MustCompile(`^COPY public\.([a-z_][a-z0-9_]*) \(([a-z0-9_", ]+)\) FROM stdin;$`)
	sequenceLine = regexp.MustCompile(`^SELECT pg_catalog\.setval\('public\.([a-z_][a-z0-9_]*)', (\d{1,19}), (true|false)\);$`)
	passedOver   = regexp.MustCompile(`^($|--|SET [a-z_]+ = [a-z0-9'-]+;$|SET [a-z_]+ = 'UTF8';$|SELECT pg_catalog\.set_config\('search_path', '', false\);$|\\(un)?restrict [A-Za-z0-9]+$)`)
)

// maxDumpLine limits a line outside rows, in bytes.
const maxDumpLine = 64 << 10

// dumpScanner reads the text of a dump.
type dumpScanner struct{ r *bufio.Reader }

func (s *dumpScanner) scan(out *backup.Database, write backup.WriteTable) error {
	for {
		line, err := s.line()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		copied, sequence := copyLine.FindStringSubmatch(line), sequenceLine.FindStringSubmatch(line)
		switch {
		case copied != nil:
			err = s.table(copied[1], columnsOf(copied[2]), out, write)
		case sequence != nil:
			err = number(sequence[1], sequence[2], sequence[3], out)
		case !passedOver.MatchString(line):
			err = fmt.Errorf("it contains a statement other than rows and is not restored: %.100q", line)
		}
		if err != nil {
			return err
		}
	}
}

// line reads a line outside rows.
func (s *dumpScanner) line() (string, error) {
	var line []byte
	for {
		part, err := s.r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxDumpLine:
			return "", errors.New("it has a line of more than 64 KiB outside of rows")
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return string(line), nil
		case err != nil:
			return "", err
		default:
			return string(line[:len(line)-1]), nil
		}
	}
}

// table passes the rows that follow to write. Rows of the migration tables are only read
// for the versions in them.
func (s *dumpScanner) table(name string, columns []string, out *backup.Database, write backup.WriteTable) error {
	if name != schemaVersions && name != queueVersions && name != unfinishedRestore {
		return write(name, columns, s.rows)
	}
	var rows bytes.Buffer
	if err := s.rows(&rows); err != nil {
		return err
	}
	for row := range strings.Lines(rows.String()) {
		values := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(values) != len(columns) {
			return fmt.Errorf("a row of %s has %d values, but the table has %d columns", name, len(values), len(columns))
		}
		if err := migrationRow(name, columns, values, out); err != nil {
			return err
		}
	}
	return nil
}

// migrationRow records an applied migration.
func migrationRow(table string, columns, values []string, out *backup.Database) error {
	row := map[string]string{}
	for i, c := range columns {
		row[c] = values[i]
	}
	if table == queueVersions {
		version, err := strconv.Atoi(row["version"])
		out.Queue = max(out.Queue, version)
		return err
	}
	version, err := strconv.ParseInt(row["version_id"], 10, 64)
	if err == nil && version > 0 && row["is_applied"] == "t" {
		out.Migrations = append(out.Migrations, version)
	}
	return err
}

// rows copies rows up to their end, a line with only \.
func (s *dumpScanner) rows(w io.Writer) error {
	for begins := true; ; {
		part, err := s.r.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("the rows are cut off: %w", err)
		}
		if begins && string(part) == "\\.\n" {
			return nil
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
		begins = err == nil
	}
}

func columnsOf(list string) []string {
	columns := strings.Split(list, ", ")
	for i, c := range columns {
		columns[i] = strings.Trim(c, `"`)
	}
	return columns
}

// number records the last value of a sequence, unless the sequence has not been used yet.
func number(sequence, value, called string, out *backup.Database) error {
	n, err := strconv.ParseInt(value, 10, 64)
	if err == nil && called == "true" {
		out.Sequences[sequence] = n
	}
	return err
}
