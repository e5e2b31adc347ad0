package eodhd

import "testing"

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`[{"date":"2024-06-07","close":1.5,"adjusted_close":1.25}]`, `[{"date":"2024-06-07","value":0.25,"unadjustedValue":0.5}]`,
		`[{"date":"2024-06-07","split":"4.000000/1.000000"}]`, `[{"date":"2024-06-07","split":"1/0"}]`, `Ticker Not Found.`, `{"message":"x"}`, ``, `<`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if bars, err := parsePrices(body); err != nil && bars != nil {
			t.Error("bars and an error")
		}
		if dividends, err := parseDividends(body); err == nil {
			for day, v := range dividends {
				if v < 0 {
					t.Errorf("%s: %v", day, v)
				}
			}
		}
		if splits, err := parseSplits(body); err == nil {
			for day, v := range splits {
				if !(v > 0) {
					t.Errorf("%s: %v", day, v)
				}
			}
		}
	})
}
