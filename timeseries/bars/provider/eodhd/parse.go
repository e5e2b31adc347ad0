package eodhd

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// parsePrices reads an answer of /api/eod.
func parsePrices(body []byte) ([]provider.Bar, error) {
	var days []struct {
		Date     string   `json:"date"`
		Close    *float64 `json:"close"`
		Adjusted *float64 `json:"adjusted_close"`
	}
	if err := list(body, &days); err != nil {
		return nil, err
	}
	bars := make([]provider.Bar, len(days))
	for i, d := range days {
		date, err := timeseries.ParseDate(d.Date)
		if err != nil {
			return nil, fmt.Errorf("%q is not a date", d.Date)
		}
		bars[i] = provider.Bar{Date: date, Close: provider.Number(d.Close), Adjusted: provider.Number(d.Adjusted), Dividend: math.NaN(), Split: math.NaN()}
	}
	return bars, nil
}

// parseDividends parses an answer of /api/div: cash per share by ex date, as paid then.
// value is adjusted for later splits, unadjustedValue is not.
func parseDividends(body []byte) (map[timeseries.Date]float64, error) {
	var given []struct {
		Date       string   `json:"date"`
		Value      *float64 `json:"value"`
		Unadjusted *float64 `json:"unadjustedValue"`
	}
	if err := list(body, &given); err != nil {
		return nil, err
	}
	paid := make(map[timeseries.Date]float64, len(given))
	for _, d := range given {
		date, err := timeseries.ParseDate(d.Date)
		if err != nil {
			return nil, fmt.Errorf("%q is not a date", d.Date)
		}
		value := d.Unadjusted
		if value == nil {
			value = d.Value
		}
		if value == nil || *value < 0 {
			return nil, fmt.Errorf("the dividend of %s is not a number", date)
		}
		paid[date] += *value
	}
	return paid, nil
}

// parseSplits parses an answer of /api/splits: new shares per old share by date, written
// as new/old, such as 4.000000/1.000000.
func parseSplits(body []byte) (map[timeseries.Date]float64, error) {
	var given []struct {
		Date  string `json:"date"`
		Split string `json:"split"`
	}
	if err := list(body, &given); err != nil {
		return nil, err
	}
	splits := make(map[timeseries.Date]float64, len(given))
	for _, s := range given {
		date, err := timeseries.ParseDate(s.Date)
		if err != nil {
			return nil, fmt.Errorf("%q is not a date", s.Date)
		}
		after, before, _ := strings.Cut(s.Split, "/")
		n, errAfter := strconv.ParseFloat(after, 64)
		o, errBefore := strconv.ParseFloat(before, 64)
		if errAfter != nil || errBefore != nil || !(n > 0) || !(o > 0) || math.IsInf(n/o, 0) || n/o == 0 {
			return nil, fmt.Errorf("%q on %s is not a split such as 4.000000/1.000000", s.Split, date)
		}
		splits[date] = n / o
	}
	return splits, nil
}

// list decodes an array, or returns an error with what came in its place: a sentence, or
// an object with a message.
func list(body []byte, into any) error {
	text := bytes.TrimSpace(body)
	if len(text) > 0 && (text[0] == '[' || text[0] == '<') {
		return provider.JSON(body, into)
	}
	lower := strings.ToLower(string(text))
	kind := provider.Malformed
	switch {
	case strings.Contains(lower, "not found"):
		kind = provider.Unknown
	case strings.Contains(lower, "limit"):
		kind = provider.Throttled
	case strings.Contains(lower, "unauthenticated"), strings.Contains(lower, "forbidden"), strings.Contains(lower, "token"), strings.Contains(lower, "subscription"):
		kind = provider.Denied
	case len(text) == 0:
		return provider.JSON(body, into)
	}
	return &provider.Error{Provider: Name, Kind: kind, Detail: "says: " + string(text)}
}
