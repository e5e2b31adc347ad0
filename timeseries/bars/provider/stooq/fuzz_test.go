package stooq

import (
	"math"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"Date,Open,High,Low,Close,Volume\r\n2024-06-07,1,1,1,2.5,3\r\n", "No data", "Exceeded the daily hits limit", "<html>", "", "Date,Open,High,Low,Close\n\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		bars, err := parse(body)
		if err != nil && bars != nil {
			t.Error("bars and an error")
		}
		for _, b := range bars {
			if math.IsNaN(b.Adjusted) || math.IsInf(b.Adjusted, 0) {
				t.Errorf("%+v", b)
			}
		}
	})
}
