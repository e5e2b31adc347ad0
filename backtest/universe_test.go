package backtest_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// universe is a random market with a random plan of targets.
type universe struct {
	sources []timeseries.Source
	frame   *timeseries.Frame
	spec    backtest.Spec
	plan    []map[string]float64 // by session; nil is None
	band    float64              // if above 0, trade only when a weight is further off than this
}

// markets are the kinds of universes: members of one exchange, members that trade every
// day, both, and members of exchanges with different holidays.
var markets = []string{"exchange", "exchange", "every day", "mixed", "abroad"}

// drawUniverse draws up to six members.
func drawUniverse(t *rapid.T) universe { return drawMembers(t, 1, 6) }

// drawMembers draws members with ragged starts, short and long holes, and delistings. The
// structure of the market is drawn, so that failures shrink; the numbers come from a
// seed, which is faster.
func drawMembers(t *rapid.T, from, to int) universe {
	market := rapid.SampledFrom(markets).Draw(t, "market")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	cal := calendar.XNYS()
	if market == "every day" {
		cal = calendar.AllDays()
	}
	first := cal.Count(timeseries.NewDate(rapid.IntRange(1990, 2030).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), 10))
	var days []timeseries.Date
	for i := range rapid.IntRange(2, rapid.SampledFrom([]int{150, 150, 150, 700}).Draw(t, "longest")).Draw(t, "days") {
		if rng.IntN(20) > 0 { // else the day is missing for all members
			days = append(days, cal.Session(first+i))
		}
	}
	if len(days) == 0 {
		days = append(days, cal.Session(first))
	}
	u := universe{sources: make([]timeseries.Source, rapid.IntRange(from, to).Draw(t, "members"))}
	scale := rapid.SampledFrom([]float64{0.02, 0.05, 0.5}).Draw(t, "returns")
	for i := range u.sources {
		coin := market == "every day" || market == "mixed" && rapid.Bool().Draw(t, "coin")
		own := days
		switch {
		case market == "mixed" && coin:
			own = nil
			for d := days[0] - 10; d <= days[len(days)-1]+3; d++ {
				own = append(own, d)
			}
		case market == "abroad":
			own = abroad(rng, days)
		}
		u.sources[i] = drawMember(t, rng, fmt.Sprintf("M%d", i), own, scale)
		u.sources[i].SevenDay = coin
	}
	var err error
	if u.frame, err = timeseries.Align(u.sources); err != nil {
		t.Fatal(err)
	}
	u.spec = drawSpec(t, u.frame)
	u.drawPlan(t, rng)
	return u
}

// abroad returns the days of another exchange, with some days fewer and some on our
// holidays.
func abroad(rng *rand.Rand, days []timeseries.Date) []timeseries.Date {
	var own []timeseries.Date
	open := map[timeseries.Date]bool{}
	for _, d := range days {
		open[d] = true
	}
	for d := days[0]; d <= days[len(days)-1]; d++ {
		weekend := d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
		if open[d] && rng.IntN(12) > 0 || !open[d] && !weekend && rng.IntN(2) == 0 {
			own = append(own, d)
		}
	}
	if own == nil {
		return days
	}
	return own
}

// drawMember draws a member with bars on some of the days, from a first to a last one.
func drawMember(t *rapid.T, rng *rand.Rand, key string, days []timeseries.Date, scale float64) timeseries.Source {
	s := timeseries.Source{Key: key, Series: timeseries.Series{Base: timeseries.NoDate}, Delisted: rapid.IntRange(0, 2).Draw(t, "delisted") == 0}
	begin, end := 0, len(days)
	if rapid.Bool().Draw(t, "late") {
		begin = rapid.IntRange(0, len(days)-1).Draw(t, "begin")
	}
	if rapid.IntRange(0, 2).Draw(t, "ends") == 0 {
		end = rapid.IntRange(begin+1, len(days)).Draw(t, "end")
	}
	hole := rapid.SampledFrom([]int{0, 15, 40}).Draw(t, "holes") // one hole in this many bars; 0 is none
	for k := begin; k < end; k++ {
		if k > begin && hole > 0 && rng.IntN(hole) == 0 {
			k += rng.IntN(15)
			continue
		}
		if s.Series.Empty() {
			s.Series.Base = days[k]
			continue
		}
		s.Series.Dates = append(s.Series.Dates, days[k])
		s.Series.Returns = append(s.Series.Returns, scale*(2*rng.Float64()-0.96))
	}
	return s
}

func drawSpec(t *rapid.T, f *timeseries.Frame) backtest.Spec {
	s := backtest.Spec{
		Schedule: rapid.SampledFrom([]backtest.Schedule{
			{Every: "daily"}, {Every: "weekly", Session: -1}, {Every: "monthly", Session: -1}, {Every: "quarterly", Session: -1},
			{Every: "yearly", Session: -1}, {Every: "weekly", Session: 1}, {Every: "weekly", Session: 5}, {Every: "weekly", Session: -5},
			{Every: "monthly", Session: 3}, {Every: "monthly", Session: -22}, {Every: "monthly", Session: 23}, {Every: "yearly", Session: 10},
			{Every: "weekly", Weekday: "mon"}, {Every: "weekly", Weekday: "wed"}, {Every: "weekly", Weekday: "fri"}, {Every: "weekly", Weekday: "sun"},
		}).Draw(t, "schedule"),
		Fill:        rapid.SampledFrom([]backtest.Fill{backtest.FillClose, backtest.FillNextClose}).Draw(t, "fill"),
		Start:       rapid.SampledFrom([]backtest.Start{backtest.StartFirstMember, backtest.StartTwoMembers, backtest.StartAllMembers}).Draw(t, "start"),
		StartDate:   timeseries.NoDate,
		InitialCash: 10000,
	}
	if rapid.IntRange(0, 3).Draw(t, "dated") == 0 {
		s.StartDate = f.Axis[rapid.IntRange(0, len(f.Axis)-1).Draw(t, "start date")] - 1
	}
	return s
}

// drawPlan draws a target for each session. It may name members that are suspended or
// delisted by then, but none that has no bar yet.
func (u *universe) drawPlan(t *rapid.T, rng *rand.Rand) {
	style := rapid.SampledFrom([]string{"long", "long", "leveraged", "long and short"}).Draw(t, "style")
	none := rapid.SampledFrom([]int{0, 3, 6}).Draw(t, "none") // one None in this many sessions; 0 is never
	if rapid.IntRange(0, 2).Draw(t, "banded") == 0 {
		u.band = 0.02 + 0.1*rng.Float64()
	}
	u.plan = make([]map[string]float64, len(u.frame.Axis))
	for k := range u.plan {
		if none > 0 && rng.IntN(none) == 0 {
			continue
		}
		target, total := map[string]float64{}, 0.0
		for i := range u.frame.Members {
			if m := &u.frame.Members[i]; m.First >= 0 && m.First <= k && rng.IntN(3) > 0 {
				w := float64(1+rng.IntN(16)) / 10
				if style == "long and short" {
					w -= 0.7
				}
				target[m.Key] = w
				total += w
			}
		}
		most := map[string]float64{"long": 1, "leveraged": 1.8, "long and short": math.Inf(1)}[style]
		if total > most {
			for key := range target {
				target[key] *= most / total
			}
		}
		u.plan[k] = target
	}
}

// decide is the decision of session t.
func (u universe) decide(t int, weights map[string]float64) map[string]float64 {
	target := u.plan[t]
	if target == nil || u.band == 0 {
		return target
	}
	for key, w := range weights {
		if math.Abs(w-target[key]) > u.band {
			return target
		}
	}
	return nil
}

func (u universe) decider() backtest.Decider {
	return backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
		s.Record("wealth", s.Equity)
		weights := map[string]float64{}
		for i, w := range s.Weights {
			weights[s.Frame.Members[i].Key] = w
		}
		decided := u.decide(s.T, weights)
		for i := range target {
			if w := decided[s.Frame.Members[i].Key]; w != 0 { // the others are already zero
				target[i] = w
			}
			if decided == nil { // a target returned with None is ignored
				target[i] = math.NaN()
			}
		}
		return decided != nil, nil
	})
}

func (u universe) run(f *timeseries.Frame) (*backtest.Result, error) {
	return backtest.Run(context.Background(), f, u.spec, u.decider(), backtest.Everything)
}
