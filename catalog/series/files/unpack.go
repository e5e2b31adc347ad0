package files

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// MostBytes is the largest size of a file, before and after decompression.
const MostBytes = 64 << 20

var errTooLarge = fmt.Errorf("the file is larger than %d MiB; divide it", MostBytes>>20)

// unpack returns the text in a file that may be compressed.
func unpack(data []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("the gzip file is damaged: %w", err)
		}
		return bounded(r, "gzip file")
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return unzip(data)
	case bytes.HasPrefix(data, []byte("PAR1")):
		return nil, errors.New("the file is Parquet, which is not read here; send the columns to POST /v1/series, or save them as CSV")
	}
	return data, nil
}

// unzip returns the only file of an archive.
func unzip(data []byte) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("the zip archive is damaged: %w", err)
	}
	var only *zip.File
	for _, f := range archive.File {
		if strings.HasSuffix(f.Name, "/") || strings.HasPrefix(path.Base(f.Name), ".") {
			continue
		}
		if strings.HasPrefix(f.Name, "xl/") {
			return nil, errors.New("the file is a workbook; save the sheet as CSV (in Excel: File, Save As, CSV UTF-8)")
		}
		if only != nil {
			return nil, fmt.Errorf("the zip archive has several files, such as %q and %q; unpack it and import one of them", only.Name, f.Name)
		}
		only = f
	}
	if only == nil {
		return nil, errors.New("the zip archive is empty")
	}
	r, err := only.Open()
	if err != nil {
		return nil, fmt.Errorf("the zip archive is damaged: %w", err)
	}
	defer func() { _ = r.Close() }()
	return bounded(r, "zip archive")
}

// bounded reads everything up to the limit.
func bounded(r io.Reader, what string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the %s is damaged or incomplete: %w", what, err)
	}
	if len(text) > MostBytes {
		return nil, errTooLarge
	}
	return text, nil
}
