package alphavantage

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// The names of the series in answers.
const (
	shareSeries = "Time Series (Daily)"
	coinSeries  = "Time Series (Digital Currency Daily)"
)

// answer covers every form of answer.
type answer struct {
	Shares      map[string]map[string]string `json:"Time Series (Daily)"`
	Coins       map[string]map[string]string `json:"Time Series (Digital Currency Daily)"`
	Error       string                       `json:"Error Message"`
	Note        string                       `json:"Note"`
	Information string                       `json:"Information"`
}

// parse parses an answer that should have the named series.
func parse(body []byte, series string) ([]provider.Bar, error) {
	var a answer
	if err := provider.JSON(body, &a); err != nil {
		return nil, err
	}
	if err := serviceError(a); err != nil {
		return nil, err
	}
	days := a.Shares
	if series == coinSeries {
		days = a.Coins
	}
	if days == nil {
		return nil, fmt.Errorf("the response has no %q", series)
	}
	bars := make([]provider.Bar, 0, len(days))
	for day, values := range days {
		date, err := timeseries.ParseDate(day)
		if err != nil {
			return nil, fmt.Errorf("%q is not a date", day)
		}
		b := provider.Bar{Date: date}
		if series == coinSeries {
			b, err = coin(b, values)
		} else {
			b, err = share(b, values)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", date, err)
		}
		bars = append(bars, b)
	}
	slices.SortFunc(bars, func(a, b provider.Bar) int { return cmp.Compare(a.Date, b.Date) })
	return bars, nil
}

func share(b provider.Bar, values map[string]string) (provider.Bar, error) {
	var problems [4]error
	b.Close, problems[0] = number(values, "4. close")
	b.Adjusted, problems[1] = number(values, "5. adjusted close")
	b.Dividend, problems[2] = number(values, "7. dividend amount")
	b.Split, problems[3] = number(values, "8. split coefficient")
	return b, errors.Join(problems[:]...)
}

func coin(b provider.Bar, values map[string]string) (provider.Bar, error) {
	price, err := number(values, "4. close")
	b.Close, b.Adjusted, b.Dividend, b.Split = price, price, math.NaN(), math.NaN()
	return b, err
}

func number(values map[string]string, name string) (float64, error) {
	text, ok := values[name]
	if !ok {
		return 0, fmt.Errorf("no %q", name)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is %q, not a number", name, text)
	}
	return v, nil
}

// serviceError interprets what comes with status 200 instead of data.
func serviceError(a answer) error {
	text := cmp.Or(a.Error, a.Note, a.Information)
	if text == "" {
		return nil
	}
	e := &provider.Error{Provider: Name, Kind: provider.Throttled, Detail: "says: " + text}
	lower := strings.ToLower(text)
	switch {
	case a.Error != "" && strings.Contains(lower, "apikey"):
		e.Kind = provider.Denied
	case a.Error != "":
		e.Kind, e.Detail = provider.Unknown, "does not have the symbol"
	case strings.Contains(lower, "premium endpoint"):
		e.Kind = provider.Denied
	case strings.Contains(lower, "per day") || strings.Contains(lower, "daily"):
		e.Wait = 6 * time.Hour
	default:
		e.Wait = time.Minute
	}
	return e
}
