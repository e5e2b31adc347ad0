package alphavantage

import (
	"slices"
	"testing"

	"ballast/timeseries/bars/provider"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"Meta Data":{},"Time Series (Daily)":{"2024-06-07":{"4. close":"1","5. adjusted close":"1","7. dividend amount":"0.0000","8. split coefficient":"1.0"}}}`,
		`{"Time Series (Digital Currency Daily)":{"2024-06-07":{"4. close":"1"}}}`, `{"Note":"x"}`, `{"Information":"x"}`, `{"Error Message":"x"}`, `{}`, `[]`, ``, `<html>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, series := range []string{shareSeries, coinSeries} {
			bars, err := parse(body, series)
			if err != nil && bars != nil {
				t.Error("bars and an error")
			}
			if !slices.IsSortedFunc(bars, func(a, b provider.Bar) int { return int(a.Date - b.Date) }) {
				t.Error("days do not ascend")
			}
		}
	})
}
