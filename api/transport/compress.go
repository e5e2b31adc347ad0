package transport

import (
	"bytes"
	"fmt"
	"math"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// leastCompressed is the size from which compressing a body pays, in bytes.
const leastCompressed = 1024

// Content codings, in order of preference.
const (
	codingZstd = "zstd"
	codingGzip = "gzip"
	codingNone = "identity"
)

// Compressor encodes whole bodies. The same body always gives the same bytes.
type Compressor struct {
	zstd *zstd.Encoder
	gzip sync.Pool // of *gzip.Writer
}

// NewCompressor returns a compressor that is safe for concurrent use.
func NewCompressor() (*Compressor, error) {
	// Fast levels, because higher ones hardly make the digits of random numbers
	// smaller.
	fast, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("make the compressor: %w", err)
	}
	return &Compressor{zstd: fast}, nil
}

// encode returns the body, compressed with zstd or gzip.
func (c *Compressor) encode(coding string, body []byte) ([]byte, error) {
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

// codingOf returns the content coding that the caller prefers, or "" for none. Short
// bodies, and Parquet, which is compressed already, are encoded only for callers that
// refuse an unencoded body.
func codingOf(list []accepted, contentType string, size int) string {
	chosen, highest := "", 0.0
	for _, coding := range []string{codingZstd, codingGzip} {
		if q := codingWeight(list, coding, 0); q > highest {
			chosen, highest = coding, q
		}
	}
	plain := codingWeight(list, codingNone, math.SmallestNonzeroFloat64)
	pays := size >= leastCompressed && contentType != MediaParquet
	if plain > highest || plain > 0 && !pays {
		return ""
	}
	return chosen
}

// refusesAll reports whether a caller accepts neither an unencoded body nor any of
// the codings.
func refusesAll(list []accepted) bool {
	return codingWeight(list, codingNone, 1) == 0 && codingOf(list, "", 0) == ""
}
