package transport

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/internal/number"
	"ballast/timeseries"
)

func TestDatesAreWrittenAsPackageTimeWritesThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := timeseries.Date(rapid.Int32Range(-700_000, 2_900_000).Draw(t, "days"))
		if got, want := string(AppendDate(nil, d)), `"`+d.String()+`"`; got != want {
			t.Fatalf("%d is %s, want %s", d, got, want)
		}
	})
	for date, want := range map[timeseries.Date]string{
		timeseries.NoDate: "null", 0: `"1970-01-01"`, timeseries.NewDate(2000, 2, 29): `"2000-02-29"`, timeseries.NewDate(1969, 12, 31): `"1969-12-31"`,
	} {
		if got := string(AppendDate(nil, date)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestVectorsOfDates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := timeseries.Date(rapid.Int32Range(-400_000, 2_940_000).Draw(t, "first"))
		dates := []timeseries.Date{}
		want := []string{}
		for _, step := range rapid.SliceOf(rapid.Int32Range(-5, 40)).Draw(t, "steps") {
			d += timeseries.Date(step)
			dates, want = append(dates, d), append(want, d.String())
		}
		var got []string
		if err := json.Unmarshal(AppendDates(nil, dates), &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestFloatsReadBackTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOf(rapid.Float64()).Draw(t, "x")
		text := AppendFloats(nil, x)
		var got []number.Float
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for i, v := range x {
			want := v
			if math.IsInf(v, 0) {
				want = math.NaN()
			}
			if math.Float64bits(float64(got[i])) != math.Float64bits(want) && !(math.IsNaN(want) && math.IsNaN(float64(got[i]))) {
				t.Fatalf("%v became %v in %s", v, got[i], text)
			}
		}
	})
	if got := string(AppendFloats(nil, []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), 1e-7})); got != "[0,-0,null,null,1e-07]" {
		t.Error(got)
	}
}

func TestTextIsWrittenAsEncodingJSONReadsIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var got string
		if err := json.Unmarshal(AppendText(nil, s), &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(s, got); d != "" {
			t.Fatal(d)
		}
	})
}

// weekdays returns n weekdays from 2003-09-29 on, and as many small numbers.
func weekdays(n int) (dates []timeseries.Date, numbers []float64) {
	state := uint64(7)
	for d := timeseries.NewDate(2003, 9, 30); len(dates) < n; d++ {
		if w := d.Weekday(); w == time.Saturday || w == time.Sunday {
			continue
		}
		state = state*6364136223846793005 + 1442695040888963407
		dates = append(dates, d)
		numbers = append(numbers, (float64(state>>11)/(1<<53)-.4995)/50)
	}
	return dates, numbers
}

func BenchmarkAppendFloats(b *testing.B) {
	_, x := weekdays(5040)
	buffer := AppendFloats(nil, x)
	b.SetBytes(int64(len(buffer)))
	for b.Loop() {
		buffer = AppendFloats(buffer[:0], x)
	}
}

// BenchmarkAppendDates writes the dates of 20 years, and compares with package time.
func BenchmarkAppendDates(b *testing.B) {
	x, _ := weekdays(5040)
	for name, write := range map[string]func([]byte) []byte{
		"own": func(b []byte) []byte { return AppendDates(b, x) },
		"time": func(b []byte) []byte {
			b = append(b, '[')
			for i, d := range x {
				if i > 0 {
					b = append(b, ',')
				}
				b = append(d.Time().AppendFormat(append(b, '"'), time.DateOnly), '"')
			}
			return append(b, ']')
		},
	} {
		b.Run(name, func(b *testing.B) {
			buffer := write(nil)
			if string(buffer) != string(AppendDates(nil, x)) {
				b.Fatal("not the same text")
			}
			b.SetBytes(int64(len(buffer)))
			for b.Loop() {
				buffer = write(buffer[:0])
			}
		})
	}
}
