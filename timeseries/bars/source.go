package bars

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"ballast/internal/fault"
)

// source is a file made ready for DuckDB's readers: its bytes hashed, and, where
// it was compressed, checked to its end and unpacked. DuckDB itself takes a
// truncated gzip file for a shorter one.
type source struct {
	path    string // of what DuckDB reads
	name    string // base name of the user's file
	sha256  string
	parquet bool
	header  []string // of a CSV file
	comma   string
	skip    int    // lines before the header
	given   string // symbol that the caller names
	temp    string
}

const headBytes = 1 << 20

func openSource(ctx context.Context, path, tempDir string, progress func(done, total int64)) (_ *source, err error) {
	s := &source{path: path, name: filepath.Base(path)}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.InvalidBody, "there is no file %s", path)
	}
	if err != nil {
		return nil, fault.New(fault.InvalidBody, "%s cannot be opened: %v", path, errors.Unwrap(err)).Wrap(err)
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			s.remove()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return nil, fault.New(fault.InvalidBody, "%s is a folder; name the CSV, gzip CSV or Parquet files in it", path)
	case !info.Mode().IsRegular():
		return nil, fault.New(fault.InvalidBody, "%s is not a regular file", path)
	case info.Size() == 0:
		return nil, fault.New(fault.InvalidBody, "%s is empty", s.name)
	}
	raw := &hashing{r: f, sum: sha256.New(), ctx: ctx, total: info.Size(), progress: progress}
	var magic [4]byte
	n, err := f.ReadAt(magic[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var head []byte
	switch {
	case n == 4 && string(magic[:]) == "PAR1":
		s.parquet = true
	case n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		if head, err = s.unpack(raw, tempDir); err != nil {
			return nil, err
		}
	default:
		head = make([]byte, min(headBytes, info.Size()))
		if _, err := io.ReadFull(io.NewSectionReader(f, 0, info.Size()), head); err != nil {
			return nil, err
		}
	}
	if _, err := io.Copy(io.Discard, raw); err != nil {
		return nil, err
	}
	s.sha256 = hex.EncodeToString(raw.sum.Sum(nil))
	if s.parquet {
		return s, nil
	}
	return s, s.readHeader(head)
}

// unpack writes the content of a gzip file to a temporary one and returns its
// beginning.
func (s *source) unpack(raw io.Reader, tempDir string) (head []byte, err error) {
	buffered := bufio.NewReaderSize(raw, 1<<18)
	z, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, s.badGzip(err)
	}
	out, err := os.CreateTemp(tempDir, "bars-*.csv")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	s.temp, s.path = out.Name(), out.Name()
	if _, err := io.Copy(out, z); err != nil {
		var file *fs.PathError
		if errors.As(err, &file) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		return nil, s.badGzip(err)
	}
	head = make([]byte, headBytes)
	n, err := out.ReadAt(head, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:n], err
}

func (s *source) badGzip(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fault.New(fault.InvalidBody, "%s is a gzip file that ends too early: it was cut off; fetch it again", s.name).Wrap(err)
	}
	return fault.New(fault.InvalidBody, "%s is a damaged gzip file; fetch it again", s.name).Wrap(err)
}

func (s *source) readHeader(head []byte) error {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	if len(bytes.TrimSpace(head)) == 0 {
		return fault.New(fault.InvalidBody, "%s is empty", s.name)
	}
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	for len(bytes.TrimSpace(line)) == 0 {
		s.skip++
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	if len(line) >= headBytes-4 || bytes.IndexByte(line, 0) >= 0 || !utf8.Valid(line) {
		return fault.New(fault.InvalidBody, "%s is neither CSV in UTF-8, nor gzip of it, nor Parquet", s.name)
	}
	s.comma = ","
	for _, c := range []string{";", "\t", "|"} {
		if bytes.Count(line, []byte(c)) > bytes.Count(line, []byte(s.comma)) {
			s.comma = c
		}
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimRight(line, "\r")))
	r.Comma = rune(s.comma[0])
	header, err := r.Read()
	if err != nil {
		return fault.New(fault.InvalidBody, "the header of %s cannot be read: %v", s.name, err).Wrap(err)
	}
	s.header = header
	return nil
}

// symbol is what the file's name says of a file without a symbol column.
func (s *source) symbol() string {
	if s.given != "" {
		return strings.ToUpper(s.given)
	}
	name, _, _ := strings.Cut(s.name, ".")
	return strings.ToUpper(name)
}

func (s *source) remove() {
	if s.temp != "" {
		_ = os.Remove(s.temp) // nobody needs it, and a temporary folder is swept
	}
}

// hashing hashes what is read through it and reports progress.
type hashing struct {
	r        io.Reader
	sum      hash.Hash
	ctx      context.Context
	done     int64
	total    int64
	progress func(done, total int64)
}

func (h *hashing) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := h.r.Read(p)
	h.sum.Write(p[:n])
	h.done += int64(n)
	h.progress(h.done, h.total)
	return n, err
}
