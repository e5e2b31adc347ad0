package tiingo

import (
	"testing"
	"time"

	"ballast/timeseries/bars/provider"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`[{"date":"2024-06-07T00:00:00.000Z","close":1.5,"adjClose":1.25,"divCash":0.0,"splitFactor":1.0}]`,
		`[{"ticker":"btcusd","priceData":[{"date":"2024-06-07T00:00:00+00:00","close":70000}]}]`,
		`{"detail":"Not found."}`, `Error: no`, `[`, `<html>`, `[{"date":"","close":null}]`, `[1]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, parse := range []func([]byte) ([]provider.Bar, error){parseDaily, parseCoins} {
			bars, err := parse(body)
			if err == nil {
				_ = provider.Check(Name, bars, time.Unix(1<<31, 0))
			} else if bars != nil {
				t.Error("bars and an error")
			}
		}
	})
}
