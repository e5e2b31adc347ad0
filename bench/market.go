package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

const (
	marketAssets   = 10
	marketSessions = 5040 // 20 years
)

// marketSymbols are the assets of the seeded market.
func marketSymbols() []string {
	out := make([]string, marketAssets)
	for i := range out {
		out[i] = fmt.Sprintf("BENCH-%02d", i)
	}
	return out
}

// writeMarket writes the seeded market into dir as a file to import: ten assets over 20
// years of planned sessions, without gaps.
func writeMarket(dir string) (path string, err error) {
	path = filepath.Join(dir, "market.csv")
	f, err := os.Create(filepath.Clean(path))
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	return path, errors.Join(marketTo(w), w.Flush(), f.Close())
}

func marketTo(w io.Writer) error {
	if _, err := io.WriteString(w, "symbol,date,close,adj_close\n"); err != nil {
		return err
	}
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2004, time.January, 1))
	for i, symbol := range marketSymbols() {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		price := 100.0
		for t := range marketSessions {
			if t > 0 {
				price *= 1.0003 + 0.01*rng.NormFloat64()
			}
			if _, err := fmt.Fprintf(w, "%s,%s,%.4f,%.6f\n", symbol, cal.Session(first+t), price, price); err != nil {
				return err
			}
		}
	}
	return nil
}

// panel returns a frame of seeded random returns without gaps, on the planned sessions
// from 1990.
func panel(members, sessions int) (*timeseries.Frame, error) {
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(1990, time.January, 1))
	dates := make([]timeseries.Date, 0, sessions)
	for t := range sessions {
		dates = append(dates, cal.Session(first+t))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	sources := make([]timeseries.Source, members)
	for i := range sources {
		returns := make([]float64, sessions-1)
		for t := range returns {
			returns[t] = 0.0003 + 0.01*rng.NormFloat64()
		}
		sources[i] = timeseries.Source{
			Key:    fmt.Sprintf("A%03d", i),
			Series: timeseries.Series{Base: dates[0], Dates: dates[1:], Returns: returns},
		}
	}
	return timeseries.Align(sources)
}

// momentumScript is the model that most rows use: monthly, of ten assets, the three
// strongest over a year. Different values of its input floor make runs differ.
func momentumScript(name, symbol string) string {
	return fmt.Sprintf(`from harness import momentum, top, equal_weight

NAME = "%s"
SYMBOL = "%s"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["%s"]},
    "lookback": {"type": "integer", "default": 252, "minimum": 21, "maximum": 756},
    "hold": {"type": "integer", "default": 3, "minimum": 1, "maximum": 10},
    "floor": {"type": "number", "default": 0, "minimum": -1, "maximum": 1},
}


def decide(ctx):
    scores = {s: momentum(ctx.prices(s, ctx.inputs.lookback)) for s in ctx.universe
              if ctx.sessions(s) > ctx.inputs.lookback}
    return equal_weight([s for s in top(scores, ctx.inputs.hold) if scores[s] > ctx.inputs.floor])
`, name, symbol, strings.Join(marketSymbols(), `", "`))
}
