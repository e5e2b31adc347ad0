package grammar

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ballast/timeseries"
)

// weights are those by member.
type weights map[string]float64

// only holds one member.
func only(key string) weights { return weights{key: 1} }

// equally holds members in equal parts.
func equally(keys ...string) weights {
	h := weights{}
	for _, k := range keys {
		h[k] += 1 / float64(len(keys))
	}
	return h
}

// part adds a share of what another strategy holds.
func (h weights) part(share float64, other weights) weights {
	for k, x := range other {
		h[k] += share * x
	}
	return h
}

// choose returns one of two.
func choose(yes bool, then, otherwise weights) weights {
	if yes {
		return then
	}
	return otherwise
}

// known is what is known at the close of a session: prices of members up to it.
type known struct {
	prices map[string][]float64
	date   timeseries.Date
}

func (p known) month() int { return int(p.date.Time().Month()) }
func (p known) day() int   { return p.date.Time().Day() }

func (p known) price(s string) float64 { x := p.prices[s]; return x[len(x)-1] }
func (p known) sma(s string, n int) float64 {
	x, sum := p.prices[s], 0.0
	for _, v := range x[len(x)-n:] {
		sum += v
	}
	return sum / float64(n)
}
func (p known) above(s string, n int) bool { return p.price(s) > p.sma(s, n) }
func (p known) ret(s string, n int) float64 {
	x := p.prices[s]
	return x[len(x)-1]/x[len(x)-1-n] - 1
}

// skipping is the return over n sessions without the last ones.
func (p known) skipping(s string, n, last int) float64 {
	x := p.prices[s]
	return x[len(x)-1-last]/x[len(x)-1-n] - 1
}

func (p known) daily(s string, n int) (list []float64) {
	x := p.prices[s]
	for i := len(x) - n; i < len(x); i++ {
		list = append(list, x[i]/x[i-1]-1)
	}
	return list
}

// vol is the annual standard deviation of daily returns.
func (p known) vol(s string, n int) float64 {
	list := p.daily(s, n)
	mean, sum := 0.0, 0.0
	for _, r := range list {
		mean += r / float64(n)
	}
	for _, r := range list {
		sum += (r - mean) * (r - mean)
	}
	return math.Sqrt(sum/float64(n-1)) * math.Sqrt(252)
}

// high is the highest of the last n prices, or of all if n is 0.
func (p known) high(s string, n int) float64 {
	x := p.prices[s]
	if n > 0 {
		x = x[len(x)-n:]
	}
	return slices.Max(x)
}

// rsi is Wilder's index over the last ten times n returns.
func (p known) rsi(s string, n int) float64 {
	x := p.prices[s]
	if len(x) > 10*n+1 {
		x = x[len(x)-10*n-1:]
	}
	up, down := 0.0, 0.0
	for i := 1; i < len(x); i++ {
		change := x[i] - x[i-1]
		gain, loss := max(change, 0), max(-change, 0)
		if i <= n {
			up, down = up+gain/float64(n), down+loss/float64(n)
			continue
		}
		up, down = (up*float64(n-1)+gain)/float64(n), (down*float64(n-1)+loss)/float64(n)
	}
	return 100 * up / (up + down)
}

// best returns the n members with the highest score.
func best(n int, score func(string) float64, keys ...string) []string {
	keys = slices.Clone(keys)
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(score(b), score(a)) })
	return keys[:n]
}

// falling leaves out members whose score is not above a hurdle: their parts go to another.
func falling(winners []string, score func(string) float64, hurdle float64, other string) weights {
	h := weights{}
	for _, k := range winners {
		if score(k) > hurdle {
			h[k] += 1 / float64(len(winners))
		} else {
			h[other] += 1 / float64(len(winners))
		}
	}
	return h
}

// winter are the months from November to April.
func (p known) winter() bool { return p.month() >= 11 || p.month() <= 4 }

// byHand are descriptions with what they mean, calculated without any script.
var byHand = []struct {
	prompt string
	holds  func(p known) weights
}{
	{"60% SPY and 40% AGG, rebalanced quarterly", func(_ known) weights { return weights{"SPY": .6, "AGG": .4} }},
	{"SPY 60, AGG 40", func(_ known) weights { return weights{"SPY": .6, "AGG": .4} }},
	{"half SPY, a quarter AGG, a quarter GLD", func(_ known) weights { return weights{"SPY": .5, "AGG": .25, "GLD": .25} }},
	{"a third each in SPY, EFA and AGG", func(_ known) weights { return equally("SPY", "EFA", "AGG") }},
	{"25% each in SPY, EFA, AGG and GLD", func(_ known) weights { return equally("SPY", "EFA", "AGG", "GLD") }},
	{"60% split equally between SPY and EFA, 40% AGG", func(_ known) weights { return weights{"SPY": .3, "EFA": .3, "AGG": .4} }},
	{"50% SPY, 20% GLD, the rest in BIL", func(_ known) weights { return weights{"SPY": .5, "GLD": .2, "BIL": .3} }},
	{"50% SPY, 30% AGG, the rest in cash", func(_ known) weights { return weights{"SPY": .5, "AGG": .3} }},
	{"10% GLD, the rest 60/40 SPY/AGG", func(_ known) weights { return weights{"GLD": .1, "SPY": .54, "AGG": .36} }},
	{"20% gold, the rest split equally between SPY and TLT", func(_ known) weights { return weights{"GLD": .2, "SPY": .4, "TLT": .4} }},
	{"15% in GLD, remainder 70/30 SPY/TLT", func(_ known) weights { return weights{"GLD": .15, "SPY": .595, "TLT": .255} }},
	{"keep 5% in cash always, the rest 60/40 in SPY and AGG", func(_ known) weights { return weights{"SPY": .57, "AGG": .38} }},
	{"60/40 SPY/AGG leveraged 1.5x", func(_ known) weights { return weights{"SPY": .9, "AGG": .6} }},
	{"60% SPY with 2x leverage, 40% AGG", func(_ known) weights { return weights{"SPY": 1.2, "AGG": .4} }},
	{"60% SPY / 40% BIL with 3x leverage on SPY", func(_ known) weights { return weights{"SPY": 1.8, "BIL": .4} }},
	{"130% SPY, short 30% IWM", func(_ known) weights { return weights{"SPY": 1.3, "IWM": -.3} }},
	{"1/N over SPY, TLT, GLD, rebalanced monthly", func(_ known) weights { return equally("SPY", "TLT", "GLD") }},
	{"equal weight SPY, TLT, GLD, EFA but no more than 10% in EFA", func(_ known) weights { return weights{"SPY": .3, "TLT": .3, "GLD": .3, "EFA": .1} }},
	{"equal weight SPY, TLT and GLD with at least 50% in SPY", func(_ known) weights { return weights{"SPY": .5, "TLT": .25, "GLD": .25} }},
	{"Three fund portfolio: 50% VTI 30% EFA 20% BND", func(_ known) weights { return weights{"VTI": .5, "EFA": .3, "BND": .2} }},
	{"Permanent portfolio: 25% SPY, 25% TLT, 25% GLD, 25% BIL", func(_ known) weights { return equally("SPY", "TLT", "GLD", "BIL") }},

	{"SPY when above its 200 day moving average, otherwise BIL", func(p known) weights { return choose(p.above("SPY", 200), only("SPY"), only("BIL")) }},
	{"SPY when above its 200 day average, BIL otherwise", func(p known) weights { return choose(p.above("SPY", 200), only("SPY"), only("BIL")) }},
	{"SPY when it closes above its 10 month moving average, otherwise sit in BIL. Check at month end.", func(p known) weights { return choose(p.above("SPY", 210), only("SPY"), only("BIL")) }},
	{"SPY, move to BIL when below the 200 day average", func(p known) weights { return choose(p.price("SPY") < p.sma("SPY", 200), only("BIL"), only("SPY")) }},
	{"hold SPY unless it is below its 200 day moving average, then TLT", func(p known) weights { return choose(p.price("SPY") < p.sma("SPY", 200), only("TLT"), only("SPY")) }},
	{"Hold QQQ if its 50 day average is above its 200 day average; else hold TLT.", func(p known) weights { return choose(p.sma("QQQ", 50) > p.sma("QQQ", 200), only("QQQ"), only("TLT")) }},
	{"SPY on a golden cross, otherwise AGG", func(p known) weights { return choose(p.sma("SPY", 50) > p.sma("SPY", 200), only("SPY"), only("AGG")) }},
	{"if SPY is above its 200 day average hold QQQ, otherwise BIL", func(p known) weights { return choose(p.above("SPY", 200), only("QQQ"), only("BIL")) }},
	{"hold SPY when its 12 month return is positive, otherwise BIL", func(p known) weights { return choose(p.ret("SPY", 252) > 0, only("SPY"), only("BIL")) }},
	{"when SPY's 12-month return is positive hold SPY; otherwise when TLT's 12-month return is positive hold TLT; otherwise BIL", func(p known) weights {
		return choose(p.ret("SPY", 252) > 0, only("SPY"), choose(p.ret("TLT", 252) > 0, only("TLT"), only("BIL")))
	}},
	{"SPY when its 14 day RSI is below 30, otherwise BIL", func(p known) weights { return choose(p.rsi("SPY", 14) < 30, only("SPY"), only("BIL")) }},
	{"if SPY is above its 200 day average and its 12 month return is positive hold SPY, otherwise BIL", func(p known) weights {
		return choose(p.above("SPY", 200) && p.ret("SPY", 252) > 0, only("SPY"), only("BIL"))
	}},
	{"hold SPY if it is above its 200 day average or its 3 month return is positive, otherwise BIL", func(p known) weights {
		return choose(p.above("SPY", 200) || p.ret("SPY", 63) > 0, only("SPY"), only("BIL"))
	}},
	{"Stay in stocks (SPY) unless the 3-month return is negative and price is below the 200 day average; then IEF", func(p known) weights {
		return choose(p.ret("SPY", 63) < 0 && p.price("SPY") < p.sma("SPY", 200), only("IEF"), only("SPY"))
	}},
	{"If SPY is below its 200-day MA then 50% TLT and 50% GLD else if QQQ RSI(14) is over 60 then BIL else QQQ", func(p known) weights {
		return choose(p.price("SPY") < p.sma("SPY", 200), equally("TLT", "GLD"), choose(p.rsi("QQQ", 14) > 60, only("BIL"), only("QQQ")))
	}},
	{"if SPY is above its 200 day average (if QQQ is above its 50 day average hold QQQ, otherwise SPY), otherwise TLT", func(p known) weights {
		return choose(p.above("SPY", 200), choose(p.above("QQQ", 50), only("QQQ"), only("SPY")), only("TLT"))
	}},
	{"If SPY has dropped more than 10% from its high, buy TLT, otherwise SPY", func(p known) weights { return choose(p.price("SPY") < .9*p.high("SPY", 0), only("TLT"), only("SPY")) }},
	{"SPY if within 5% of its 52 week high, otherwise BIL", func(p known) weights {
		return choose(p.price("SPY") >= .95*p.high("SPY", 252), only("SPY"), only("BIL"))
	}},
	{"if SPY is more than 2% above its 200 day average hold SPY, otherwise BIL", func(p known) weights {
		return choose(p.price("SPY") > 1.02*p.sma("SPY", 200), only("SPY"), only("BIL"))
	}},
	{"If the 20-day volatility of SPY exceeds 15% annualized then move to 50% SPY and 50% BIL, otherwise fully SPY", func(p known) weights {
		return choose(p.vol("SPY", 20) > .15, equally("SPY", "BIL"), only("SPY"))
	}},
	{"if the 3 month volatility of SPY is below 15% a year hold SPY, otherwise BIL", func(p known) weights { return choose(p.vol("SPY", 63) < .15, only("SPY"), only("BIL")) }},
	{"QQQ if its 6 month return beats SPY's, otherwise SPY", func(p known) weights { return choose(p.ret("QQQ", 126) > p.ret("SPY", 126), only("QQQ"), only("SPY")) }},
	{"hold SPY if SPY and EFA are both above their 200 day averages, otherwise BIL", func(p known) weights {
		return choose(p.above("SPY", 200) && p.above("EFA", 200), only("SPY"), only("BIL"))
	}},
	{"equal weight SPY, EFA and IEF, each only while above its 10 month average, otherwise BIL", func(p known) weights {
		h := weights{}
		for _, k := range []string{"SPY", "EFA", "IEF"} {
			h.part(1./3, choose(p.above(k, 210), only(k), only("BIL")))
		}
		return h
	}},

	{"hold SPY from November to April, otherwise BIL", func(p known) weights { return choose(p.winter(), only("SPY"), only("BIL")) }},
	{"Sell in May: SPY from November through April, SHY the rest of the year", func(p known) weights { return choose(p.winter(), only("SPY"), only("SHY")) }},
	{"sell in May and go away: QQQ Nov-Apr, TLT otherwise", func(p known) weights { return choose(p.winter(), only("QQQ"), only("TLT")) }},
	{"Halloween strategy with QQQ and SHY", func(p known) weights { return choose(p.winter(), only("QQQ"), only("SHY")) }},
	{"SPY November to April, BIL May to October", func(p known) weights { return choose(p.winter(), only("SPY"), only("BIL")) }},
	{"QQQ except in September, when I hold BIL", func(p known) weights { return choose(p.month() == 9, only("BIL"), only("QQQ")) }},
	{"Hold SPY except during August and September; in those months hold IEF", func(p known) weights { return choose(p.month() == 8 || p.month() == 9, only("IEF"), only("SPY")) }},
	{"be in IWM in January and in SPY the rest of the time", func(p known) weights { return choose(p.month() == 1, only("IWM"), only("SPY")) }},
	{"if it is December hold IWM else SPY", func(p known) weights { return choose(p.month() == 12, only("IWM"), only("SPY")) }},
	{"SPY from the 25th to the 5th of each month, else BIL", func(p known) weights { return choose(p.day() >= 25 || p.day() <= 5, only("SPY"), only("BIL")) }},
	{"SPY between the 10th and the 20th of each month, otherwise BIL", func(p known) weights { return choose(p.day() >= 10 && p.day() <= 20, only("SPY"), only("BIL")) }},

	{"60/40 SPY/AGG, replacing SPY with BIL when SPY is below its 200 day average", func(p known) weights {
		return weights{"AGG": .4}.part(.6, choose(p.price("SPY") < p.sma("SPY", 200), only("BIL"), only("SPY")))
	}},
	{"50% SPY, 30% EFA, 20% AGG, swap EFA for BIL if it is below its 10 month average, checked monthly", func(p known) weights {
		return weights{"SPY": .5, "AGG": .2}.part(.3, choose(p.price("EFA") < p.sma("EFA", 210), only("BIL"), only("EFA")))
	}},
	{"equal weight SPY, GLD, TLT; replace GLD with SHY unless GLD's 6 month return is positive", func(p known) weights {
		return weights{"SPY": 1. / 3, "TLT": 1. / 3}.part(1./3, choose(p.ret("GLD", 126) > 0, only("GLD"), only("SHY")))
	}},

	{"top 2 of SPY, EFA and EEM by 12 month momentum, monthly", func(p known) weights {
		return equally(best(2, func(s string) float64 { return p.ret(s, 252) }, "SPY", "EFA", "EEM")...)
	}},
	{"Every month buy the 3 best of SPY, EFA, EEM, TLT, GLD by 6 month return, equally weighted.", func(p known) weights {
		return equally(best(3, func(s string) float64 { return p.ret(s, 126) }, "SPY", "EFA", "EEM", "TLT", "GLD")...)
	}},
	{"top half of SPY, EFA, EEM, TLT by 6 month momentum, monthly", func(p known) weights {
		return equally(best(2, func(s string) float64 { return p.ret(s, 126) }, "SPY", "EFA", "EEM", "TLT")...)
	}},
	{"top 25% of SPY, EFA, EEM, TLT, GLD, QQQ, IWM, AGG by 12 month return", func(p known) weights {
		return equally(best(2, func(s string) float64 { return p.ret(s, 252) }, "SPY", "EFA", "EEM", "TLT", "GLD", "QQQ", "IWM", "AGG")...)
	}},
	{"worst third of SPY, QQQ, IWM by 1 month return", func(p known) weights {
		return equally(best(1, func(s string) float64 { return -p.ret(s, 21) }, "SPY", "QQQ", "IWM")...)
	}},
	{"hold the best performer of the last month among SPY, QQQ, IWM", func(p known) weights {
		return equally(best(1, func(s string) float64 { return p.ret(s, 21) }, "SPY", "QQQ", "IWM")...)
	}},
	{"mean reversion: buy the worst performer of the last month among SPY, QQQ, IWM each month", func(p known) weights {
		return equally(best(1, func(s string) float64 { return -p.ret(s, 21) }, "SPY", "QQQ", "IWM")...)
	}},
	{"top 2 of SPY, EFA and EEM by 12-1 momentum, monthly", func(p known) weights {
		return equally(best(2, func(s string) float64 { return p.skipping(s, 252, 21) }, "SPY", "EFA", "EEM")...)
	}},
	{"Hold the asset with the highest 12-month return minus the most recent month among SPY, EFA, EEM, AGG", func(p known) weights {
		return equally(best(1, func(s string) float64 { return p.skipping(s, 252, 21) }, "SPY", "EFA", "EEM", "AGG")...)
	}},
	{"top 2 of SPY, EFA, EEM by the average of 1, 3 and 6 month returns, monthly", func(p known) weights {
		return equally(best(2, func(s string) float64 { return p.ret(s, 21) + p.ret(s, 63) + p.ret(s, 126) }, "SPY", "EFA", "EEM")...)
	}},
	{"top 2 of SPY, EFA and EEM by 6 month return, only if positive, otherwise BIL, monthly", func(p known) weights {
		score := func(s string) float64 { return p.ret(s, 126) }
		return falling(best(2, score, "SPY", "EFA", "EEM"), score, 0, "BIL")
	}},
	{"Momentum rotation between SPY and TLT, whichever has done better over 3 months", func(p known) weights {
		return equally(best(1, func(s string) float64 { return p.ret(s, 63) }, "SPY", "TLT")...)
	}},
	{"Dual momentum: SPY vs EFA over 12 months, if winner beats BIL hold it otherwise AGG", func(p known) weights {
		score := func(s string) float64 { return p.ret(s, 252) }
		return falling(best(1, score, "SPY", "EFA"), score, p.ret("BIL", 252), "AGG")
	}},
	{"ADM with SPY, EFA and TLT", func(p known) weights {
		score := func(s string) float64 { return (p.ret(s, 21) + p.ret(s, 63) + p.ret(s, 126)) / 3 }
		return falling(best(1, score, "SPY", "EFA"), score, 0, "TLT")
	}},
	{"bottom 2 of SPY, QQQ, IWM, TLT by 20 day RSI, equal weight", func(p known) weights {
		return equally(best(2, func(s string) float64 { return -p.rsi(s, 20) }, "SPY", "QQQ", "IWM", "TLT")...)
	}},
	{"hold the 2 least volatile of SPY, QQQ, TLT and GLD over 60 days, monthly", func(p known) weights {
		return equally(best(2, func(s string) float64 { return -p.vol(s, 60) }, "SPY", "QQQ", "TLT", "GLD")...)
	}},
	{"inverse volatility weighted SPY, TLT, GLD, 60 day lookback, rebalanced weekly", func(p known) weights { return inverse(p, 60, "SPY", "TLT", "GLD") }},
	{"Top 2 of SPY, EFA, EEM, GLD by 6-month momentum weighted by inverse volatility", func(p known) weights {
		return inverse(p, 60, best(2, func(s string) float64 { return p.ret(s, 126) }, "SPY", "EFA", "EEM", "GLD")...)
	}},
	{"inverse volatility of SPY, TLT, GLD, cap GLD at 20%", func(p known) weights {
		h := inverse(p, 60, "SPY", "TLT", "GLD")
		if over := h["GLD"] - .2; over > 0 {
			others := h["SPY"] + h["TLT"]
			h = weights{"GLD": .2, "SPY": h["SPY"] * (1 + over/others), "TLT": h["TLT"] * (1 + over/others)}
		}
		return h
	}},

	{"SPY with a volatility target of 12% over 60 days, the rest in BIL", func(p known) weights {
		x := min(1, .12/p.vol("SPY", 60))
		return weights{"SPY": x, "BIL": 1 - x}
	}},
	{"SPY above 200d SMA -> QQQ, below -> BIL", func(p known) weights { return choose(p.above("SPY", 200), only("QQQ"), only("BIL")) }},
	{"if SPY is at its 52 week high hold SPY else BIL", func(p known) weights { return choose(p.price("SPY") >= p.high("SPY", 252), only("SPY"), only("BIL")) }},
	{"hold TLT after the 15th of the month, otherwise SPY", func(p known) weights { return choose(p.day() > 15, only("TLT"), only("SPY")) }},
	{"sell in May: hold SPY November through April and BIL from May to October", func(p known) weights { return choose(p.winter(), only("SPY"), only("BIL")) }},
	{"hold QQQ or TLT, whichever did better in the last 3 months", func(p known) weights {
		return equally(best(1, func(s string) float64 { return p.ret(s, 63) }, "QQQ", "TLT")...)
	}},
	{"50% (SPY when above its 200 day average, otherwise BIL), 50% (60/40 QQQ/AGG)", func(p known) weights {
		return weights{"QQQ": .3, "AGG": .2}.part(.5, choose(p.above("SPY", 200), only("SPY"), only("BIL")))
	}},
	{"Put 40% in the best of SPY and EFA by 12 month return, and 60% in AGG", func(p known) weights {
		return weights{"AGG": .6}.part(.4, equally(best(1, func(s string) float64 { return p.ret(s, 252) }, "SPY", "EFA")...))
	}},
	{"half SPY, half a momentum strategy picking the top 2 of GLD, TLT, EFA by 3 month return", func(p known) weights {
		return weights{"SPY": .5}.part(.5, equally(best(2, func(s string) float64 { return p.ret(s, 63) }, "GLD", "TLT", "EFA")...))
	}},
	{"80/20 blend of 60/40 SPY/AGG and a momentum strategy picking the top 2 of GLD, TLT, EFA by 3 month return", func(p known) weights {
		return weights{"SPY": .48, "AGG": .32}.part(.2, equally(best(2, func(s string) float64 { return p.ret(s, 63) }, "GLD", "TLT", "EFA")...))
	}},
	{"core: 70% in 60/40 SPY/AGG; satellite: 30% in the top 1 of QQQ, IWM, EEM by 6 month momentum", func(p known) weights {
		return weights{"SPY": .42, "AGG": .28}.part(.3, equally(best(1, func(s string) float64 { return p.ret(s, 126) }, "QQQ", "IWM", "EEM")...))
	}},
	{"Split 50/50 between a trend strategy (SPY above its 200 day average, else BIL) and 60/40 QQQ/AGG", func(p known) weights {
		return weights{"QQQ": .3, "AGG": .2}.part(.5, choose(p.above("SPY", 200), only("SPY"), only("BIL")))
	}},
	{"10% BIL always; the other 90%: SPY above its 200 day average, else IEF", func(p known) weights {
		return weights{"BIL": .1}.part(.9, choose(p.above("SPY", 200), only("SPY"), only("IEF")))
	}},
	{"half in inverse volatility of SPY, TLT, GLD over 60 days and half in the best of SPY and EFA by 12 month return", func(p known) weights {
		return weights{}.part(.5, inverse(p, 60, "SPY", "TLT", "GLD")).part(.5, equally(best(1, func(s string) float64 { return p.ret(s, 252) }, "SPY", "EFA")...))
	}},
	{"a 50/30/20 blend of (SPY when above its 200 day average, otherwise BIL), GLD and TLT", func(p known) weights {
		return weights{"GLD": .3, "TLT": .2}.part(.5, choose(p.above("SPY", 200), only("SPY"), only("BIL")))
	}},
}

// inverse weighs members by the inverse of their volatility.
func inverse(p known, n int, keys ...string) weights {
	h, sum := weights{}, 0.0
	for _, k := range keys {
		h[k] = 1 / p.vol(k, n)
		sum += h[k]
	}
	for k := range h {
		h[k] /= sum
	}
	return h
}

// TestWeightsByHand compares each decision with what the description means, calculated
// from prices alone.
func TestWeightsByHand(t *testing.T) {
	t.Parallel()
	for _, c := range byHand {
		t.Run(c.prompt, func(t *testing.T) {
			t.Parallel()
			text, strange := modelOf(t, newShelf(), c.prompt)
			if strange != nil {
				t.Fatalf("%+v", strange.Words)
			}
			result := run(t, text)
			prices, at := map[string][]float64{}, map[string]map[timeseries.Date]int{}
			for _, key := range result.Keys {
				s := sampled(t, key)
				prices[key], at[key] = []float64{1}, map[timeseries.Date]int{s.Base: 1}
				for i, r := range s.Returns {
					prices[key] = append(prices[key], prices[key][i]*(1+r))
					at[key][s.Dates[i]] = i + 2
				}
			}
			compared := 0
			for i, e := range result.Ledger {
				p := known{map[string][]float64{}, e.Decided}
				young := false
				for _, key := range result.Keys {
					n := at[key][e.Decided]
					young = young || n < 300
					p.prices[key] = prices[key][:n]
				}
				if young {
					continue
				}
				want, got := c.holds(p), decided(result, i-len(result.Ledger))
				for _, key := range result.Keys {
					if math.Abs(want[key]-got[key]) > 1e-9 {
						t.Fatalf("on %s %s is decided at %v, not %v\n%s", e.Decided, key, got[key], want[key], strings.SplitN(text, `"""`, 3)[1])
					}
				}
				compared++
			}
			if compared < 3 {
				t.Fatal(fmt.Sprint(compared, " decisions were compared"))
			}
		})
	}
}
