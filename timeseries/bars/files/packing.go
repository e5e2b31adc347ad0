package files

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"ballast/internal/fault"
)

// packing is how a file is compressed, as its first bytes show.
type packing int

const (
	text packing = iota
	gzipped
	zstandard
	bzipped
	zipped
	parquet
)

const saveAsCSV = "save the sheet as CSV (in Excel: File, Save As, CSV UTF-8) and import that file"

const webPage = "is a web page or XML, not a table; the site may have sent an error or login page. Open the file in a browser to see, then download it again"

// others are common formats that are not supported, by their first bytes.
var others = []struct{ begins, what string }{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an Excel workbook; " + saveAsCSV},
	{"\xfd7zXZ\x00", "is packed with xz; unpack it, or pack it with gzip, zstd or zip"},
	{"7z\xbc\xaf\x27\x1c", "is packed with 7-Zip; unpack it, or pack it with gzip, zstd or zip"},
	{"Rar!", "is packed with RAR; unpack it, or pack it with gzip, zstd or zip"},
	{"ARROW1", "is an Arrow file; write it as Parquet or CSV"},
	{"\x89HDF", "is an HDF5 file; write it as Parquet or CSV"},
	{"%PDF", "is a PDF file; bars are read from CSV and Parquet"},
	{"<!doctype", webPage}, {"<html", webPage}, {"<?xml", webPage},
	{"{", "is JSON; write it as CSV or Parquet"},
	{"[", "is JSON; write it as CSV or Parquet"},
}

// detectPacking detects the packing of a file from its first bytes.
func detectPacking(name string, head []byte) (packing, error) {
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return parquet, nil
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzipped, nil
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstandard, nil
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzipped, nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped, nil
	}
	return text, refuseOthers(name, head)
}

// refuseOthers refuses files in a known format other than CSV.
func refuseOthers(name string, head []byte) error {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	for _, o := range others {
		if len(head) >= len(o.begins) && strings.EqualFold(string(head[:len(o.begins)]), o.begins) {
			return fault.New(fault.InvalidBody, "%s %s", name, o.what)
		}
	}
	return nil
}

// openRegular opens a regular file that is not empty.
func openRegular(path string) (*os.File, int64, error) {
	name := filepath.Base(path)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fault.New(fault.InvalidBody, "there is no file %s", path)
	}
	if err != nil {
		return nil, 0, fault.New(fault.InvalidBody, "%s cannot be opened: %v", path, errors.Unwrap(err)).Wrap(err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fault.New(fault.InvalidBody, "%s is a folder; name the CSV or Parquet files in it", path)
	case !info.Mode().IsRegular():
		err = fault.New(fault.InvalidBody, "%s is not a regular file", path)
	case info.Size() == 0:
		err = fault.New(fault.InvalidBody, "%s is empty", name)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// unpack returns the text inside a file. inner is the name of the file within an
// archive, "" for other packings.
func (f *File) unpack(raw io.Reader) (plain io.Reader, inner string, err error) {
	switch f.packing {
	case gzipped:
		z, err := gzip.NewReader(raw)
		if err != nil {
			return nil, "", f.damaged(err)
		}
		plain = z
	case zstandard:
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, "", f.damaged(err)
		}
		f.release = z.Close
		plain = z
	case bzipped:
		plain = bzip2.NewReader(raw)
	case zipped:
		member, err := f.member()
		if err != nil {
			return nil, "", err
		}
		content, err := member.Open()
		if err != nil {
			return nil, "", f.damaged(err)
		}
		plain, inner = &packed{content, raw, member.CompressedSize64, member.UncompressedSize64}, filepath.Base(member.Name)
	default:
		plain = raw
	}
	// UTF-16, which Excel calls Unicode text, starts with a byte-order mark; that of
	// UTF-8 is removed.
	return transform.NewReader(plain, unicode.BOMOverride(encoding.Nop.NewDecoder())), inner, nil
}

// member finds the one file in an archive.
func (f *File) member() (*zip.File, error) {
	archive, err := zip.NewReader(f.file, f.size)
	if err != nil {
		return nil, f.damaged(err)
	}
	var found []*zip.File
	for _, m := range archive.File {
		switch {
		case m.Name == "[Content_Types].xml" || strings.HasPrefix(m.Name, "xl/"):
			return nil, fault.New(fault.InvalidBody, "%s is an Excel workbook; %s", f.name, saveAsCSV)
		case m.Name == "content.xml" || m.Name == "mimetype" || strings.HasSuffix(m.Name, ".iwa"):
			return nil, fault.New(fault.InvalidBody, "%s is a spreadsheet; save the sheet as CSV and import that file", f.name)
		case m.FileInfo().IsDir() || strings.HasPrefix(m.Name, "__MACOSX/"):
		default:
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		return nil, fault.New(fault.InvalidBody, "%s holds %d files, but an archive may hold only one; unpack it and import the files one by one", f.name, len(found))
	}
	return found[0], nil
}

// packed estimates the progress through an archive from its member, because the archive
// itself is read in several places.
type packed struct {
	io.Reader
	raw          io.Reader
	taken, whole uint64
}

func (p *packed) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if counted, ok := p.raw.(*counting); ok && p.whole > 0 {
		counted.add(int64(float64(n) * float64(p.taken) / float64(p.whole)))
		if ctxErr := counted.ctx.Err(); ctxErr != nil {
			return 0, ctxErr
		}
	}
	return n, err
}

// damaged returns the error for a file that cannot be unpacked.
func (f *File) damaged(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	what := map[packing]string{gzipped: "gzip", zstandard: "zstd", bzipped: "bzip2", zipped: "zip"}[f.packing]
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fault.New(fault.InvalidBody, "%s is a truncated %s file; download it again", f.name, what).Wrap(err)
	}
	return fault.New(fault.InvalidBody, "%s is a damaged %s file; download it again", f.name, what).Wrap(err)
}

// counting reports the progress of reading, and stops when its context ends.
type counting struct {
	r    io.Reader
	ctx  context.Context
	done int64
	tell func(done int64)
}

func (c *counting) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.add(int64(n))
	return n, err
}

func (c *counting) add(n int64) {
	c.done += n
	c.tell(c.done)
}
