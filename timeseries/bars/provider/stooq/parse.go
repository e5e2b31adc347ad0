package stooq

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// said are the sentences that come with status 200 instead of bars, in lower case. Stooq
// is a Polish service.
var said = []struct {
	begins string
	kind   provider.Kind
	wait   time.Duration
}{
	{begins: "no data", kind: provider.Unknown},
	{begins: "brak danych", kind: provider.Unknown},
	{begins: "exceeded the daily hits limit", kind: provider.Throttled, wait: 6 * time.Hour},
	{begins: "przekroczony dzienny limit", kind: provider.Throttled, wait: 6 * time.Hour},
	{begins: "get your apikey", kind: provider.Denied},
	{begins: "access denied", kind: provider.Denied},
}

// parse parses an answer of /q/d/l/.
func parse(body []byte) ([]provider.Bar, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	if len(text) == 0 {
		return nil, errors.New("the response is empty")
	}
	if text[0] == '<' {
		return nil, provider.ErrHTML
	}
	lower := strings.ToLower(string(text[:min(len(text), 64)]))
	for _, s := range said {
		if strings.HasPrefix(lower, s.begins) {
			return nil, &provider.Error{Provider: Name, Kind: s.kind, Wait: s.wait, Detail: "says: " + string(text)}
		}
	}
	lines := csv.NewReader(bytes.NewReader(text))
	lines.ReuseRecord = true
	header, err := lines.Read()
	if err != nil || len(header) < 5 || header[0] != "Date" || header[4] != "Close" {
		return nil, errors.New("the response does not begin with Date,Open,High,Low,Close")
	}
	var bars []provider.Bar
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return bars, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the response is not the documented CSV: %w", err)
		}
		date, err := timeseries.ParseDate(line[0])
		if err != nil {
			return nil, fmt.Errorf("%q is not a date", line[0])
		}
		price, err := strconv.ParseFloat(line[4], 64)
		if err != nil || math.IsNaN(price) || math.IsInf(price, 0) {
			return nil, fmt.Errorf("the close of %s is %q, not a number", date, line[4])
		}
		bars = append(bars, provider.Bar{Date: date, Close: math.NaN(), Adjusted: price, Dividend: math.NaN(), Split: math.NaN()})
	}
}
