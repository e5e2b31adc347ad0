package agent

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// anything draws a JSON value.
func anything(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Custom(func(t *rapid.T) any { return rapid.Float64Range(-1e9, 1e9).Draw(t, "number") }),
		rapid.Custom(func(t *rapid.T) any { return rapid.StringN(0, 400, -1).Draw(t, "text") }),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	return rapid.OneOf(append(leaves,
		rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(anything(depth-1), 0, 40).Draw(t, "list") }),
		rapid.Custom(func(t *rapid.T) any {
			return rapid.MapOfN(rapid.StringMatching("[a-z]{1,8}"), anything(depth-1), 0, 20).Draw(t, "object")
		}),
	)...)
}

// TestFit checks that any answer fits and is JSON, and that one that is short enough
// stays as it is.
func TestFit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.MapOfN(rapid.StringMatching("[a-z]{1,8}"), anything(3), 0, 12).Draw(t, "answer")
		most := rapid.IntRange(1000, 9000).Draw(t, "most")
		whole, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		text, err := fit(value, most)
		if err != nil || len(text) > most || !json.Valid(text) {
			t.Fatalf("%d bytes of at most %d, %v", len(text), most, err)
		}
		if len(whole) <= most && string(text) != string(whole) {
			t.Fatalf("an answer of %d bytes was changed", len(whole))
		}
	})
}

func TestFitSaysWhatWasCut(t *testing.T) {
	t.Parallel()
	long := make([]any, 5000)
	for i := range long {
		long[i] = i
	}
	text, err := fit(map[string]any{"series": long, "name": "x", "more": "http://x/all"}, AnswerBytes)
	var out struct {
		Series    []int
		Name      string
		More      string
		Shortened map[string]string
	}
	if err != nil || json.Unmarshal(text, &out) != nil || out.Name != "x" || out.More != "http://x/all" || out.Shortened["series"] != "1250 of 5000" || len(out.Series) != 1250 {
		t.Errorf("%v: %s", err, text)
	}
}

// TestContributions compounds two days by hand: 10 % from A, then 5 % from A and 5 % from B.
func TestContributions(t *testing.T) {
	t.Parallel()
	v := func(x ...float64) (out []*float64) {
		for i := range x {
			out = append(out, &x[i])
		}
		return out
	}
	h := &history{Dates: []string{"2020-12-31", "2021-01-04"}}
	h.Contribution.Keys = map[string][]*float64{"A": v(0.1, 0.05), "B": v(0, 0.05)}
	h.Contribution.Total = v(0.1, 0.1)
	total, years := h.contributions()
	for key, want := range map[string]float64{"A": 0.155, "B": 0.055, "TOTAL": 0.21} {
		if math.Abs(total[key]-want) > 1e-9 {
			t.Errorf("%s contributed %g, want %g", key, total[key], want)
		}
	}
	if math.Abs(years["2021"]["TOTAL"]-0.1) > 1e-9 || math.Abs(years["2020"]["A"]-0.1) > 1e-9 {
		t.Errorf("%v", years)
	}
	series, err := (&history{Dates: h.Dates, Returns: v(0.1, 0.1)}).series(getSeries{Frequency: "yearly"}, "m")
	points, _ := series["series"].([]point)
	if err != nil || len(points) != 2 || points[0] != (point{"2021-01-04", 0.1}) {
		t.Errorf("%v, %v", series, err)
	}
}
