package e2e

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

// writeMarket writes the bars of the scripts: three symbols on the weekdays of
// 2015 to 2019, CCC from 2018 on, with prices from a small generator so that
// they are the same everywhere.
func writeMarket(path string) error {
	file, err := os.Create(path) //nolint:gosec // a path of the test's own
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	fmt.Fprintln(w, "symbol,date,close")
	for i, s := range []struct {
		symbol string
		first  time.Time
		spread int64 // of a day's move, in basis points
	}{
		{"AAA", day(2015, 1, 2), 100}, {"BBB", day(2015, 1, 2), 30}, {"CCC", day(2018, 1, 2), 60},
	} {
		state, price := uint64(i+1), int64(1_000_000)
		for d := s.first; d.Before(day(2020, 1, 1)); d = d.AddDate(0, 0, 1) {
			if d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
				continue
			}
			fmt.Fprintf(w, "%s,%s,%d.%04d\n", s.symbol, d.Format(time.DateOnly), price/10_000, price%10_000)
			state = state*6364136223846793005 + 1442695040888963407
			move := int64(state>>33)%(2*s.spread+1) - s.spread + 3
			price += price * move / 10_000
		}
	}
	return w.Flush()
}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
