package api

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// leastCompressed is the length of bodies from which compressing pays, in bytes.
const leastCompressed = 1024

// The content codings, in the order of preference.
const (
	codingZstd = "zstd"
	codingGzip = "gzip"
	codingNone = "identity"
)

// compressor encodes whole bodies. The same body gives the same bytes.
type compressor struct {
	zstd *zstd.Encoder
	gzip sync.Pool // of *gzip.Writer
}

func newCompressor() (*compressor, error) {
	// Fast levels: the digits of random numbers do not become much smaller.
	fast, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("make the compressor: %w", err)
	}
	return &compressor{zstd: fast}, nil
}

// encode returns the body in a coding.
func (c *compressor) encode(coding string, body []byte) ([]byte, error) {
	if coding == codingZstd {
		return c.zstd.EncodeAll(body, make([]byte, 0, len(body)/2)), nil
	}
	var out bytes.Buffer
	out.Grow(len(body) / 2)
	w, ok := c.gzip.Get().(*gzip.Writer)
	if ok {
		w.Reset(&out)
	} else {
		var err error
		if w, err = gzip.NewWriterLevel(&out, gzip.BestSpeed); err != nil {
			return nil, err
		}
	}
	defer c.gzip.Put(w)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// codingOf is the content coding of an answer, "" for none: what the caller
// likes most and the server has (RFC 9110 section 12.5.3). Short answers and
// Parquet, which is compressed already, are coded only for callers who refuse
// them as they are.
func codingOf(accepted []string, contentType string, size int) string {
	if len(accepted) == 0 {
		return ""
	}
	header := strings.Join(accepted, ",")
	chosen, liked := "", 0.0
	for _, coding := range []string{codingZstd, codingGzip} {
		if q := codingQuality(header, coding, 0); q > liked {
			chosen, liked = coding, q
		}
	}
	plain := codingQuality(header, codingNone, math.SmallestNonzeroFloat64)
	pays := size >= leastCompressed && contentType != mediaParquet
	if plain > liked || plain > 0 && !pays {
		return ""
	}
	return chosen
}

// refusesAll reports whether a caller takes none of the codings, nor an answer
// as it is.
func refusesAll(accepted []string) bool {
	if len(accepted) == 0 {
		return false
	}
	header := strings.Join(accepted, ",")
	return codingQuality(header, codingNone, 1) == 0 && codingOf(accepted, "", 0) == ""
}

// codingQuality is how much an Accept-Encoding header likes a coding, otherwise
// where it speaks of others alone.
func codingQuality(header, coding string, otherwise float64) float64 {
	for part := range strings.SplitSeq(header, ",") {
		name, parameter, _ := strings.Cut(part, ";")
		key, value, _ := strings.Cut(parameter, "=")
		q := 1.0
		if strings.EqualFold(strings.TrimSpace(key), "q") {
			q = weight(strings.TrimSpace(value))
		}
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case coding, "x-" + coding:
			return q
		case "*":
			otherwise = q
		}
	}
	return otherwise
}
