package transport

import (
	"bytes"
	"fmt"
	"math"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// leastCompressed is the length from which compressing a body pays, in bytes.
const leastCompressed = 1024

// The content codings, in the order of preference.
const (
	codingZstd = "zstd"
	codingGzip = "gzip"
	codingNone = "identity"
)

// Compressor encodes whole bodies. The same body gives the same bytes.
type Compressor struct {
	zstd *zstd.Encoder
	gzip sync.Pool // of *gzip.Writer
}

// NewCompressor returns a compressor that any number of answers may use at once.
func NewCompressor() (*Compressor, error) {
	// Fast levels: the digits of random numbers do not become much smaller.
	fast, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("make the compressor: %w", err)
	}
	return &Compressor{zstd: fast}, nil
}

// encode returns the body in zstd or gzip.
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

// codingOf is the content coding of an answer, "" for none: the one that the
// caller prefers. Short answers, and Parquet, which is compressed already, are
// encoded only for callers who refuse unencoded answers.
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

// refusesAll reports whether a caller accepts neither an unencoded answer nor any
// of the codings.
func refusesAll(list []accepted) bool {
	return codingWeight(list, codingNone, 1) == 0 && codingOf(list, "", 0) == ""
}
