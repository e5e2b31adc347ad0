package grammar

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// dayByDay are descriptions of the corpus with what they mean: when is decided, what is
// held then, and the band within which nothing is traded.
var dayByDay = []struct {
	prompt string
	when   calendar
	holds  holding
	band   band
}{
	// allocations
	{prompt: "50/50 SPY and TLT", when: monthly, holds: always(equally("SPY", "TLT"))},
	{prompt: "SPY 80 GLD 20 annual rebalance", when: yearly, holds: always(weights{"SPY": .8, "GLD": .2})},
	{prompt: "55/45 TQQQ/TLT quarterly", when: quarterly, holds: always(weights{"TQQQ": .55, "TLT": .45})},
	{prompt: "Rebalance: annually. SPY 60, AGG 40.", when: yearly, holds: always(weights{"SPY": .6, "AGG": .4})},
	{prompt: "one third SPY, two thirds AGG", when: monthly, holds: always(weights{"SPY": 1. / 3, "AGG": 2. / 3})},
	{prompt: "three quarters SPY, one quarter TLT", when: monthly, holds: always(weights{"SPY": .75, "TLT": .25})},
	{prompt: "a third each of SPY, TLT and gold", when: monthly, holds: always(equally("SPY", "TLT", "GLD"))},
	{prompt: "SPY 50%, TLT 30%, rest GLD", when: monthly, holds: always(weights{"SPY": .5, "TLT": .3, "GLD": .2})},
	{prompt: "60% SPY, rest split equally between TLT and GLD", when: monthly, holds: always(weights{"SPY": .6, "TLT": .2, "GLD": .2})},
	{prompt: "60% VTI, the remainder split 50/50 between BND and GLD", when: monthly, holds: always(weights{"VTI": .6, "BND": .2, "GLD": .2})},
	{prompt: "40% SPY, 60% split between TLT, IEF and GLD equally", when: monthly, holds: always(weights{"SPY": .4, "TLT": .2, "IEF": .2, "GLD": .2})},
	{prompt: "I hold 70% VTI, 20% VXUS and the rest in BND", when: monthly, holds: always(weights{"VTI": .7, "VXUS": .2, "BND": .1})},
	{prompt: "20% GLD, the rest in a 60/40 of SPY and AGG", when: monthly, holds: always(weights{"GLD": .2, "SPY": .48, "AGG": .32})},
	{prompt: "keep 5% in cash, 60% SPY, 35% AGG", when: monthly, holds: always(weights{"SPY": .6, "AGG": .35})},
	{prompt: "SPY/TLT/GLD equally weighted rebalanced semi-annually", when: endOf(6, 12), holds: always(equally("SPY", "TLT", "GLD"))},
	{prompt: "60/40 SPY/AGG rebalanced every January", when: endOf(1), holds: always(weights{"SPY": .6, "AGG": .4})},
	{prompt: "60/40 SPY AGG rebalance twice a year, in June and December", when: endOf(6, 12), holds: always(weights{"SPY": .6, "AGG": .4})},
	{prompt: "rebalance 60/40 SPY/AGG on the last trading day of March, June, September and December", when: endOf(3, 6, 9, 12), holds: always(weights{"SPY": .6, "AGG": .4})},
	{prompt: "60/40 SPY/AGG quarterly, on the 10th trading day", when: tenthOfQuarter, holds: always(weights{"SPY": .6, "AGG": .4})},
	{prompt: "60/40 SPY/AGG weekly on Mondays", when: on(time.Monday), holds: always(weights{"SPY": .6, "AGG": .4})},
	{prompt: "130/30 long SPY short IWM", when: monthly, holds: always(weights{"SPY": 1.3, "IWM": -.3})},
	{prompt: "long SPY 100%, short TLT 30%", when: monthly, holds: always(weights{"SPY": 1, "TLT": -.3})},
	{prompt: "monthly 40/30/30 SPY GLD TLT", when: monthly, holds: always(weights{"SPY": .4, "GLD": .3, "TLT": .3})},

	// modifiers
	{prompt: "60/40 SPY/AGG, 2x leverage on SPY", when: monthly, holds: always(weights{"SPY": 1.2, "AGG": .4})},
	{prompt: "2x leverage on SPY and AGG, equal weight", when: monthly, holds: always(weights{"SPY": 1, "AGG": 1})},
	{prompt: "60% SPY and 40% AGG with 1.5x leverage for SPY", when: monthly, holds: always(weights{"SPY": .9, "AGG": .4})},
	{prompt: "equal weight SPY QQQ IWM, 1.25x leverage on QQQ only", when: monthly, holds: always(weights{"SPY": 1. / 3, "QQQ": 1.25 / 3, "IWM": 1. / 3})},
	{prompt: "60/40 SPY/AGG, target 10% volatility on SPY", when: monthly, holds: mix(.6, aimed(one("SPY"), 60, .1, 1), .4, one("AGG"))},
	{prompt: "SPY and AGG equal weight, 10% volatility target on SPY", when: monthly, holds: mix(.5, aimed(one("SPY"), 60, .1, 1), .5, one("AGG"))},
	{prompt: "60/40 SPY/TLT with a 10% volatility target on SPY", when: monthly, holds: mix(.6, aimed(one("SPY"), 60, .1, 1), .4, one("TLT"))},
	{prompt: "50% SPY and 50% (TLT with 2x leverage)", when: monthly, holds: always(weights{"SPY": .5, "TLT": 1})},
	{prompt: "60% SPY with a 10% volatility target, 40% TLT", when: monthly, holds: mix(.6, aimed(one("SPY"), 60, .1, 1), .4, one("TLT"))},
	{prompt: "target 10% volatility on 60/40 SPY/AGG", when: monthly, holds: aimed(always(weights{"SPY": .6, "AGG": .4}), 60, .1, 1)},
	{prompt: "60/40 SPY/AGG, target 10% volatility", when: monthly, holds: aimed(always(weights{"SPY": .6, "AGG": .4}), 60, .1, 1)},
	{prompt: "target volatility 12% for SPY and TLT equally, max leverage 150%", when: monthly, holds: aimed(always(equally("SPY", "TLT")), 60, .12, 1.5)},
	{prompt: "inverse-vol weight SPY TLT GLD, target 10% vol, max leverage 1.5", when: monthly, holds: aimed(inverseOf(60, "SPY", "TLT", "GLD"), 60, .1, 1.5)},
	{prompt: "equal weight SPY, AGG and GLD, max 25% GLD", when: monthly, holds: always(weights{"SPY": .375, "AGG": .375, "GLD": .25})},
	{prompt: "equal weight SPY, TLT, GLD with a cap of 25% on GLD", when: monthly, holds: always(weights{"SPY": .375, "TLT": .375, "GLD": .25})},
	{prompt: "equal weight SPY, TLT and GLD, max 20% each", when: monthly, holds: always(weights{"SPY": .2, "TLT": .2, "GLD": .2})},
	{prompt: "max 30% in GLD, equal weight SPY, GLD, TLT, AGG", when: monthly, holds: always(equally("SPY", "GLD", "TLT", "AGG"))},
	{prompt: "inverse volatility of SPY, TLT and GLD, max 25% in GLD", when: monthly, holds: cut(inverseOf(60, "SPY", "TLT", "GLD"), "GLD", .25)},
	{prompt: "inverse volatility of SPY, TLT and GLD, no more than 40% in SPY", when: monthly, holds: cut(inverseOf(60, "SPY", "TLT", "GLD"), "SPY", .4)},
	{prompt: "SPY, TLT and GLD vol weighted, monthly", when: monthly, holds: inverseOf(60, "SPY", "TLT", "GLD")},
	{prompt: "equal weight top 3 of SPY, EFA, EEM, TLT, GLD by 6 month momentum, max 40% each", when: monthly, holds: bestBy(3, gain(126), "SPY", "EFA", "EEM", "TLT", "GLD")},

	// bands
	{prompt: "60/40 SPY/AGG with a 5% band on SPY", when: daily, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{points: .05, member: "SPY"}},
	{prompt: "60/40 SPY/AGG, rebalance when SPY drifts more than 5 points", when: daily, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{points: .05, member: "SPY"}},
	{prompt: "60/40 SPY/AGG, rebalance when SPY drifts 20% from target", when: daily, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{relative: .2, member: "SPY"}},
	{prompt: "60/40 SPY/AGG, rebalance when any weight drifts 20% from target", when: daily, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{relative: .2}},
	{prompt: "60/40 SPY/AGG, rebalance if weights deviate 25% relative to target", when: daily, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{relative: .25}},
	{prompt: "60/40 SPY/AGG, rebalance if any weight drifts by more than 5 percentage points from target", when: daily, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{points: .05}},
	{prompt: "60/40 SPY/AGG, rebalance when drift is more than 500 bps", when: daily, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{points: .05}},
	{prompt: "65% SPY, 25% TLT, 10% GLD, 5 point rebalancing bands", when: daily, holds: always(weights{"SPY": .65, "TLT": .25, "GLD": .1}), band: band{points: .05}},
	{prompt: "Rebalance SPY/TLT 60/40 monthly but skip when drift is under 2 points", when: monthly, holds: always(weights{"SPY": .6, "TLT": .4}), band: band{points: .02}},
	{prompt: "60/40 with 5% tolerance bands checked monthly", when: monthly, holds: always(weights{"SPY": .6, "AGG": .4}), band: band{points: .05}},

	// trends
	{prompt: "hold SPY when above its 50 day average, otherwise BIL, checked weekly", when: weekly, holds: cases(one("BIL"), above("SPY", 50), one("SPY"))},
	{prompt: "hold SPY when above its 100 day EMA, otherwise cash, daily", when: daily, holds: cases(always(nil), truth(func(p known) bool { return p.price("SPY") > p.ema("SPY", 100) }), one("SPY"))},
	{prompt: "SPY when its 50 day EMA is above its 200 day EMA, otherwise BIL", when: daily, holds: cases(one("BIL"), truth(func(p known) bool { return p.ema("SPY", 50) > p.ema("SPY", 200) }), one("SPY"))},
	{prompt: "SPY when its 50-day EMA crosses above its 200-day SMA", when: daily, holds: cases(always(nil), truth(func(p known) bool { return p.ema("SPY", 50) > p.sma("SPY", 200) }), one("SPY"))},
	{prompt: "If SPY 200d MA is above current price of SPY then BIL else SPY", when: daily, holds: cases(one("SPY"), below("SPY", 200), one("BIL"))},
	{prompt: "SPY when its 14 day RSI is below 30, otherwise cash", when: daily, holds: cases(always(nil), rsiUnder("SPY", 14, 30), one("SPY"))},
	{prompt: "hold QQQ when SPY beats BIL over the last 12 months, otherwise IEF", when: daily, holds: cases(one("IEF"), beats("SPY", "BIL", 252), one("QQQ"))},
	{prompt: "if QQQ RSI(10) is above 79 hold BIL, otherwise QQQ", when: daily, holds: cases(one("QQQ"), rsiOver("QQQ", 10, 79), one("BIL"))},
	{prompt: "if the 60 day return of SPY is above that of BIL hold SPY otherwise BIL", when: daily, holds: cases(one("BIL"), beats("SPY", "BIL", 60), one("SPY"))},
	{prompt: "if SPY max drawdown over 10 days is greater than 5% hold BIL else SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.deepest("SPY", 10) > .05 }), one("BIL"))},
	{prompt: "QQQ unless its RSI(14) is above 70, then cash", when: daily, holds: cases(one("QQQ"), rsiOver("QQQ", 14, 70), always(nil))},
	{prompt: "hold SPY, switch to TLT if 3 month return is negative", when: daily, holds: cases(one("TLT"), rose("SPY", 63), one("SPY"))},
	{prompt: "SPY if 3 month return is positive else TLT if its 3 month return is positive else cash", when: daily, holds: cases(always(nil), rose("SPY", 63), one("SPY"), rose("TLT", 63), one("TLT"))},
	{prompt: "SPY when 50 day above 200 day else SHY", when: daily, holds: cases(one("SHY"), cross("SPY", 50, 200), one("SPY"))},
	{prompt: "buy SPY if it closes above the 10 month SMA, sell if below", when: daily, holds: cases(always(nil), above("SPY", 210), one("SPY"))},
	{prompt: "go to cash when SPY closes below its 200 day moving average, otherwise stay in SPY", when: daily, holds: cases(one("SPY"), below("SPY", 200), always(nil))},
	{prompt: "If SPX is over the 200 dma then hold UPRO, if not then TMF", when: daily, holds: cases(one("TMF"), above("SPY", 200), one("UPRO"))},
	{prompt: "rotate into TLT whenever SPY is under its 10 month sma, else stay in SPY", when: daily, holds: cases(one("SPY"), below("SPY", 210), one("TLT"))},
	{prompt: "switch to IEF if SPY's 50 day ma is under its 200 day ma else hold SPY", when: daily, holds: cases(one("SPY"), no(cross("SPY", 50, 200)), one("IEF"))},
	{prompt: "I want to hold VTI when the market is above its 200 day average and go to T-bills when it isn't", when: daily, holds: cases(one("BIL"), above("SPY", 200), one("VTI"))},
	{prompt: "at the end of each month, if SPY is above its 10-month SMA buy SPY, else move to AGG", when: monthly, holds: cases(one("AGG"), above("SPY", 210), one("SPY"))},
	{prompt: "check on the last trading day of the month; if SPY is over its 200 day average hold SPY else IEF", when: monthly, holds: cases(one("IEF"), above("SPY", 200), one("SPY"))},
	{prompt: "golden cross on QQQ: hold QQQ, death cross: hold TLT", when: daily, holds: cases(one("TLT"), cross("QQQ", 50, 200), one("QQQ"))},
	{prompt: "hold SPY until it falls below its 200 day average, then BIL", when: daily, holds: cases(one("SPY"), below("SPY", 200), one("BIL"))},
	{prompt: "SPY when above its 200 day average for 5 days in a row", when: daily, holds: cases(always(nil), inRow("SPY", 5, above("SPY", 200)), one("SPY"))},
	{prompt: "hold QQQ when QQQ closed above its 50 day average 3 days in a row, else SHY", when: daily, holds: cases(one("SHY"), inRow("QQQ", 3, above("QQQ", 50)), one("QQQ"))},
	{prompt: "If QQQ closes below 200dma for 3 consecutive days switch to TLT, else QQQ", when: daily, holds: cases(one("QQQ"), inRow("QQQ", 3, below("QQQ", 200)), one("TLT"))},
	{prompt: "SPY when above its 200 day average by 2%", when: daily, holds: cases(always(nil), stretched("SPY", 200, .02), one("SPY"))},
	{prompt: "SPY unless the 50 day is under the 200 day", when: daily, holds: cases(always(nil), cross("SPY", 50, 200), one("SPY"))},
	{prompt: "when SPY < SMA(200) -> BIL, otherwise TQQQ", when: daily, holds: cases(one("TQQQ"), below("SPY", 200), one("BIL"))},
	{prompt: "normally 60/40 SPY/AGG, but BIL when SPY is below its 200 day average", when: daily, holds: cases(always(weights{"SPY": .6, "AGG": .4}), below("SPY", 200), one("BIL"))},
	{prompt: "hold QQQ, then rotate to TLT when QQQ is below its 50 day average", when: daily, holds: cases(one("QQQ"), below("QQQ", 50), one("TLT"))},
	{prompt: "SPY, unless it's below its 200-day average, then BIL; rebalance weekly", when: weekly, holds: cases(one("SPY"), below("SPY", 200), one("BIL"))},
	{prompt: "Check every Friday: if QQQ is above its 20 day EMA and its 20 day EMA is above its 50 day EMA hold QQQ, otherwise BIL", when: on(time.Friday), holds: cases(one("BIL"), truth(func(p known) bool {
		return p.price("QQQ") > p.ema("QQQ", 20) && p.ema("QQQ", 20) > p.ema("QQQ", 50)
	}), one("QQQ"))},
	{prompt: "Put 70% in SPY and 30% in TLT; if SPY falls below its 200 day average move everything to BIL.", when: daily, holds: cases(always(weights{"SPY": .7, "TLT": .3}), below("SPY", 200), one("BIL"))},

	{prompt: "Hold UPRO as long as SPY stays above its 200-day SMA. When it falls below, move into TLT.", when: daily, holds: cases(one("TLT"), above("SPY", 200), one("UPRO"))},
	{prompt: "hold SPY only when both its 3 month and 12 month returns are positive, otherwise go to SHY", when: daily, holds: cases(one("SHY"), all(rose("SPY", 63), rose("SPY", 252)), one("SPY"))},
	{prompt: "Switch from SPY to AGG on a death cross and back on a golden cross", when: daily, holds: cases(one("AGG"), cross("SPY", 50, 200), one("SPY"))},
	{prompt: "Use UPRO instead of SPY when SPY's 50 day average is over its 200 day average", when: daily, holds: cases(one("SPY"), cross("SPY", 50, 200), one("UPRO"))},
	{prompt: "60/40 with SPY and TLT, but cut SPY to 30% when it's below its 200-day average", when: daily, holds: cases(always(weights{"SPY": .6, "TLT": .4}), below("SPY", 200), always(weights{"SPY": .3, "TLT": .4}))},
	{prompt: "SPY/TLT 60/40 but only hold TLT when it's above its 100-day moving average", when: daily, holds: cases(always(weights{"SPY": .6}), above("TLT", 100), always(weights{"SPY": .6, "TLT": .4}))},
	{prompt: "100% SPY normally; 50% SPY 50% TLT when SPY is under its 200 day average", when: daily, holds: cases(one("SPY"), below("SPY", 200), always(equally("SPY", "TLT")))},
	{prompt: "SPY, but never hold it in September", when: daily, holds: cases(one("SPY"), within(9), always(nil))},
	{prompt: "Hold SPY from the open of November to the end of April; BIL in the other months", when: daily, holds: cases(one("BIL"), within(11, 12, 1, 2, 3, 4), one("SPY"))},
	{prompt: "Stay in SPY from November through April and in AGG from May through October", when: daily, holds: cases(one("AGG"), within(11, 12, 1, 2, 3, 4), one("SPY"))},
	{prompt: "If SPY closes below its 200dma for 5 days in a row, sell everything and go to BIL", when: daily, holds: cases(one("SPY"), inRow("SPY", 5, below("SPY", 200)), one("BIL"))},
	{prompt: "Hold SPY if at least 2 of these are true: SPY above 200 day average, TLT above 200 day average, 6 month return of SPY positive; otherwise BIL", when: daily, holds: cases(one("BIL"), truth(func(p known) bool {
		n := 0
		for _, yes := range []bool{p.above("SPY", 200), p.above("TLT", 200), p.ret("SPY", 126) > 0} {
			if yes {
				n++
			}
		}
		return n >= 2
	}), one("SPY"))},
	{prompt: "10 month SMA timing on VTI, VXUS and BND equally, cash when below", when: daily, holds: eachAbove(210, "VTI", "VXUS", "BND")},
	{prompt: "trend following on SPY, QQQ and TLT with a 200 day average, equally", when: daily, holds: eachAbove(200, "SPY", "QQQ", "TLT")},
	{prompt: "Core: 70% VTI. Satellite: 30% rotating into the best of XLK, XLE, XLU by 6 month momentum", when: monthly, holds: mix(.7, one("VTI"), .3, bestBy(1, gain(126), "XLK", "XLE", "XLU"))},
	{prompt: "30% in the winner of QQQ/IWM over 3 months, 70% in AGG", when: monthly, holds: mix(.7, one("AGG"), .3, bestBy(1, gain(63), "QQQ", "IWM"))},
	{prompt: "Each month hold whichever of SPY, EFA or AGG did best over the past year", when: monthly, holds: bestBy(1, gain(252), "SPY", "EFA", "AGG")},
	{prompt: "Inverse vol QQQ TLT GLD 20 day, weekly, target vol 15%, max leverage 2", when: weekly, holds: aimed(inverseOf(20, "QQQ", "TLT", "GLD"), 20, .15, 2)},
	{prompt: "75% of the portfolio in SPY, remainder split between TLT and GLD", when: monthly, holds: always(weights{"SPY": .75, "TLT": .125, "GLD": .125})},
	{prompt: "Stocks: 60% SPY, 10% EFA. Bonds: 20% AGG, 5% TIP. Gold: 5% GLD. Rebalance annually.", when: yearly, holds: always(weights{"SPY": .6, "EFA": .1, "AGG": .2, "TIP": .05, "GLD": .05})},
	{prompt: "Put 40% into SPY and split the remaining 60% equally among TLT, GLD and DBC", when: monthly, holds: always(weights{"SPY": .4, "TLT": .2, "GLD": .2, "DBC": .2})},
	{prompt: "Keep 10% in cash, rest in SPY", when: monthly, holds: always(weights{"SPY": .9})},
	{prompt: "Rebalance my portfolio of 50% SPY, 30% EFA and 20% AGG whenever an asset drifts by more than a fifth of its target", when: daily, holds: always(weights{"SPY": .5, "EFA": .3, "AGG": .2}), band: band{relative: .2}},

	{prompt: "QQQ when rsi14 < 70 else SHY", when: daily, holds: cases(one("SHY"), rsiUnder("QQQ", 14, 70), one("QQQ"))},
	{prompt: "Long TLT when SPY falls more than 3% in a week, otherwise SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.ret("SPY", 5) < -.03 }), one("TLT"))},
	{prompt: "Every day: if QQQ is up more than 1% on the day hold BIL, else QQQ", when: daily, holds: cases(one("QQQ"), truth(func(p known) bool { return p.ret("QQQ", 1) > .01 }), one("BIL"))},
	{prompt: "weekly: hold QQQ when it closed the week above its 40 week average, else BIL", when: weekly, holds: cases(one("BIL"), above("QQQ", 200), one("QQQ"))},
	{prompt: "hold SPY while its 3-month momentum is positive; when negative hold IEF", when: daily, holds: cases(one("IEF"), rose("SPY", 63), one("SPY"))},
	{prompt: "Start from 60/40 SPY/AGG. If SPY's 12 month return is negative, shift to 20/80.", when: daily, holds: cases(always(weights{"SPY": .6, "AGG": .4}), truth(func(p known) bool { return p.ret("SPY", 252) < 0 }), always(weights{"SPY": .2, "AGG": .8}))},
	{prompt: "When RSI(14) of SPY is above 70 reduce to 50% SPY and 50% BIL, otherwise 100% SPY", when: daily, holds: cases(one("SPY"), rsiOver("SPY", 14, 70), always(equally("SPY", "BIL")))},
	{prompt: "Hold SPY when the market is in an uptrend, defined as the S&P 500 being above its 200 day moving average. Otherwise hold IEF.", when: daily, holds: cases(one("IEF"), above("SPY", 200), one("SPY"))},
	{prompt: "trend: SPY, TLT, GLD, DBC at 25% each; any of them below its 10-month SMA goes to cash", when: daily, holds: eachAbove(210, "SPY", "TLT", "GLD", "DBC")},
	{prompt: "the ivy portfolio with a 10-month moving average on each", when: daily, holds: eachAbove(210, "VTI", "VEU", "BND", "VNQ", "DBC")},
	{prompt: "Each week, look at SPY, QQQ, IWM and hold whichever is up the most over the last 4 weeks.", when: weekly, holds: bestBy(1, gain(20), "SPY", "QQQ", "IWM")},
	{prompt: "On the first trading day of each month buy the ETF among SPY, QQQ, DIA with the lowest return last month", when: firstOfMonth, holds: bestBy(1, loss(21), "SPY", "QQQ", "DIA")},
	{prompt: "Permanent portfolio, rebalance when an asset goes below 15% or above 35%", when: daily, holds: always(equally("VTI", "TLT", "BIL", "GLD")), band: band{points: .1}},
	{prompt: "Allocate 60% to SPY and 40% to TLT. Rebalance whenever the allocation to SPY exceeds 65% or falls below 55%.", when: daily, holds: always(weights{"SPY": .6, "TLT": .4}), band: band{points: .05, member: "SPY"}},
	{prompt: "Bogleheads three fund portfolio with 60% VTI, 20% VXUS, 20% BND", when: monthly, holds: always(weights{"VTI": .6, "VXUS": .2, "BND": .2})},

	{prompt: "SPY in uptrend (above 200 SMA), TLT in downtrend", when: daily, holds: cases(one("TLT"), above("SPY", 200), one("SPY"))},
	{prompt: "70/30 SPY TLT in bull markets (SPY above its 200-day), 30/70 in bear markets", when: daily, holds: cases(always(weights{"SPY": .3, "TLT": .7}), above("SPY", 200), always(weights{"SPY": .7, "TLT": .3}))},
	{prompt: "buy when SPY > 200 DMA, sell when SPY < 200 DMA", when: daily, holds: cases(always(nil), above("SPY", 200), one("SPY"))},
	{prompt: "SPY above 200d, else BIL; check once a month on the last day", when: monthly, holds: cases(one("BIL"), above("SPY", 200), one("SPY"))},
	{prompt: "SPY 1.5x leveraged while its 12-month return is above zero, otherwise unlevered", when: daily, holds: cases(one("SPY"), rose("SPY", 252), times(1.5, one("SPY")))},
	{prompt: "rotate between XLK and XLU weekly by 4-week return", when: weekly, holds: bestBy(1, gain(20), "XLK", "XLU")},
	{prompt: "If SPY is up over the last 6 months, hold it; if not, hold the better of TLT and GLD over the same period", when: daily, holds: cases(bestBy(1, gain(126), "TLT", "GLD"), rose("SPY", 126), one("SPY"))},

	// entering and leaving
	{prompt: "enter SPY when it is 2% above its 200 day moving average, exit to BIL when it is 2% below", when: daily, holds: switched("SPY", 200, stretched("SPY", 200, .02), no(stretched("SPY", 200, -.02)), one("SPY"), one("BIL"))},
	{prompt: "hold QQQ; enter 3% above the 200 day SMA, leave 3% below it, otherwise BIL", when: daily, holds: switched("QQQ", 200, stretched("QQQ", 200, .03), no(stretched("QQQ", 200, -.03)), one("QQQ"), one("BIL"))},
	{prompt: "go long TQQQ when QQQ rises more than 5% above its 200 day average and switch to BIL when it falls more than 3% below", when: daily, holds: switched("QQQ", 200, stretched("QQQ", 200, .05), no(stretched("QQQ", 200, -.03)), one("TQQQ"), one("BIL"))},
	{prompt: "buy SPY when RSI(2) drops below 10 and sell when it rises above 70, otherwise hold BIL", when: daily, holds: switched("SPY", 3, rsiUnder("SPY", 2, 10), rsiOver("SPY", 2, 70), one("SPY"), one("BIL"))},
	{prompt: "buy SPY when the RSI is under 30, hold until the RSI is over 55, otherwise BIL", when: daily, holds: switched("SPY", 15, rsiUnder("SPY", 14, 30), rsiOver("SPY", 14, 55), one("SPY"), one("BIL"))},
	{prompt: "When SPY crosses 2% above its 200 day average go long; when it crosses 2% below go to BIL", when: daily, holds: switched("SPY", 200, stretched("SPY", 200, .02), no(stretched("SPY", 200, -.02)), one("SPY"), one("BIL"))},
	{prompt: "Buy SPY at a new 52 week high; sell when it hits a 20 day low", when: daily, holds: switched("SPY", 252, truth(func(p known) bool { return p.price("SPY") >= p.high("SPY", 252) }), truth(func(p known) bool { x := p.prices["SPY"]; return p.price("SPY") <= slices.Min(x[len(x)-20:]) }), one("SPY"), always(nil))},
	{prompt: "buy TQQQ when QQQ is over its 200 day and sell when it is 5% under", when: daily, holds: switched("QQQ", 200, above("QQQ", 200), no(stretched("QQQ", 200, -.05)), one("TQQQ"), always(nil))},
	{prompt: "hold SPY; if it drops 15% from its 52 week high move to SHY until it is above its 200 day average", when: daily, holds: switched("SPY", 252, off("SPY", .15, 252), above("SPY", 200), one("SHY"), one("SPY"))},

	// several conditions
	{prompt: "SPY when above both its 50 and 200 day averages", when: daily, holds: cases(always(nil), all(above("SPY", 50), above("SPY", 200)), one("SPY"))},
	{prompt: "SPY when it is above its 200 day average or its RSI is below 30", when: daily, holds: cases(always(nil), some(above("SPY", 200), rsiUnder("SPY", 14, 30)), one("SPY"))},
	{prompt: "SPY when SPY or QQQ is above its 200 day average", when: daily, holds: cases(always(nil), some(above("SPY", 200), above("QQQ", 200)), one("SPY"))},
	{prompt: "SPY when at least 2 of SPY, EFA, EEM are above their 200 day average", when: daily, holds: cases(always(nil), truth(func(p known) bool {
		n := 0
		for _, s := range []string{"SPY", "EFA", "EEM"} {
			if p.above(s, 200) {
				n++
			}
		}
		return n >= 2
	}), one("SPY"))},
	{prompt: "SPY when its 200 day average is rising", when: daily, holds: cases(always(nil), rising("SPY", 200), one("SPY"))},
	{prompt: "SPY when its volatility is below 20%", when: daily, holds: cases(always(nil), volUnder("SPY", 60, .2), one("SPY"))},
	{prompt: "SPY when its 20 day volatility is lower than its 60 day volatility", when: daily, holds: cases(always(nil), truth(func(p known) bool { return p.vol("SPY", 20) < p.vol("SPY", 60) }), one("SPY"))},
	{prompt: "SPY when its 12 month return is above 5%", when: daily, holds: cases(always(nil), truth(func(p known) bool { return p.ret("SPY", 252) > .05 }), one("SPY"))},
	{prompt: "if SPY's 12 month return is positive and the 200 day average is rising hold SPY otherwise BIL", when: daily, holds: cases(one("BIL"), all(rose("SPY", 252), rising("SPY", 200)), one("SPY"))},
	{prompt: "if the 10-day RSI of SPY is over 80 or the 10-day RSI of QQQ is over 80 then hold BIL, else hold QQQ", when: daily, holds: cases(one("QQQ"), some(rsiOver("SPY", 10, 80), rsiOver("QQQ", 10, 80)), one("BIL"))},
	{prompt: "when RSI(QQQ, 10) is greater than RSI(SPY, 10) buy QQQ otherwise buy SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.rsi("QQQ", 10) > p.rsi("SPY", 10) }), one("QQQ"))},
	{prompt: "If the 60 day cumulative return of SPY is less than -12% then hold BIL else hold SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.ret("SPY", 60) < -.12 }), one("BIL"))},
	{prompt: "if 21 day standard deviation of return of SPY is greater than 2% then BIL else SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.vol("SPY", 21)/math.Sqrt(252) > .02 }), one("BIL"))},
	{prompt: "if the 20 day moving average return of TLT is greater than the 20 day moving average return of SPY hold TLT else SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.mean("TLT", 20) > p.mean("SPY", 20) }), one("TLT"))},
	{prompt: "if SPY's 6-day cumulative return is less than -6% and its 1-day return is above 1% hold BIL, else SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.ret("SPY", 6) < -.06 && p.ret("SPY", 1) > .01 }), one("BIL"))},
	{prompt: "hold SPY if TLT is above its 50 day sma and GLD is below its 50 day sma otherwise hold TLT", when: daily, holds: cases(one("TLT"), all(above("TLT", 50), below("GLD", 50)), one("SPY"))},
	{prompt: "if SPY > 200 SMA and RSI(14) SPY < 70: hold QQQ; elif SPY < 200 SMA and RSI(14) SPY < 30: hold SPY; else: SHY", when: daily, holds: cases(one("SHY"), all(above("SPY", 200), rsiUnder("SPY", 14, 70)), one("QQQ"), all(below("SPY", 200), rsiUnder("SPY", 14, 30)), one("SPY"))},
	{prompt: "if (SPY is above its 200 day average and SPY's 6 month return is positive) or RSI(2) of SPY is below 10 then hold SPY else BIL", when: daily, holds: cases(one("BIL"), some(all(above("SPY", 200), rose("SPY", 126)), rsiUnder("SPY", 2, 10)), one("SPY"))},
	{prompt: "hold QQQ when QQQ's 14 day RSI < 30 or QQQ is above its 200 day EMA, else BIL", when: daily, holds: cases(one("BIL"), some(rsiUnder("QQQ", 14, 30), func(p known) bool { return p.price("QQQ") > p.ema("QQQ", 200) }), one("QQQ"))},
	{prompt: "if SPY is above its 200-day SMA and not in May hold SPY else BIL", when: daily, holds: cases(one("BIL"), all(above("SPY", 200), no(within(5))), one("SPY"))},
	{prompt: "hold SPY unless SPY is below its 200 day average and its 3 month return is negative, otherwise IEF", when: daily, holds: cases(one("SPY"), all(below("SPY", 200), no(rose("SPY", 63))), one("IEF"))},
	{prompt: "if not (SPY is below its 200 day average or QQQ is below its 200 day average) hold QQQ, else BIL", when: daily, holds: cases(one("BIL"), no(some(below("SPY", 200), below("QQQ", 200))), one("QQQ"))},
	{prompt: "hold SPY, but if it is below its 200 day average and its RSI is above 30 hold BIL", when: daily, holds: cases(one("SPY"), all(below("SPY", 200), rsiOver("SPY", 14, 30)), one("BIL"))},
	{prompt: "if RSI(14) of SPY is between 30 and 70 hold SPY, otherwise BIL", when: daily, holds: cases(one("BIL"), all(rsiOver("SPY", 14, 30), rsiUnder("SPY", 14, 70)), one("SPY"))},
	{prompt: "hold SPY if it is above its 50, 100 and 200 day EMAs, otherwise BIL", when: daily, holds: cases(one("BIL"), truth(func(p known) bool {
		return p.price("SPY") > max(p.ema("SPY", 50), p.ema("SPY", 100), p.ema("SPY", 200))
	}), one("SPY"))},
	{prompt: "hold QQQ if QQQ has a higher 6 month return than SPY and SPY is above its 200 day average, otherwise BIL", when: daily, holds: cases(one("BIL"), all(beats("QQQ", "SPY", 126), above("SPY", 200)), one("QQQ"))},
	{prompt: "if SPY is above its 200 day average and GLD below its 200 day average hold 100% SPY, otherwise 50% GLD", when: daily, holds: cases(always(weights{"GLD": .5}), all(above("SPY", 200), below("GLD", 200)), one("SPY"))},

	// conditions within conditions, and chains
	{prompt: "If the current price of SPY is greater than the 200d moving average of SPY then if the 10d RSI of QQQ is greater than 79 then BIL else TQQQ else BIL", when: daily, holds: cases(one("BIL"), above("SPY", 200), cases(one("TQQQ"), rsiOver("QQQ", 10, 79), one("BIL")))},
	{prompt: "If SPY is above its 200-day moving average: if RSI(10) of QQQ is above 79 hold BIL, otherwise hold QQQ. Otherwise hold TLT.", when: daily, holds: cases(one("TLT"), above("SPY", 200), cases(one("QQQ"), rsiOver("QQQ", 10, 79), one("BIL")))},
	{prompt: "if SPY's 12 month return is above BIL's: if SPY beats EFA over 12 months hold SPY, else hold EFA. otherwise hold AGG", when: daily, holds: cases(one("AGG"), beats("SPY", "BIL", 252), cases(one("EFA"), beats("SPY", "EFA", 252), one("SPY")))},
	{prompt: "if SPY is above its 200 dma (if its RSI is above 75 hold BIL else hold SPY) else (if the RSI of SPY is below 30 hold SPY else hold TLT)", when: daily, holds: cases(cases(one("TLT"), rsiUnder("SPY", 14, 30), one("SPY")), above("SPY", 200), cases(one("SPY"), rsiOver("SPY", 14, 75), one("BIL")))},
	{prompt: "hold QQQ if QQQ is above its 200 day average, otherwise hold SPY if SPY is above its 200 day average, otherwise BIL", when: daily, holds: cases(one("BIL"), above("QQQ", 200), one("QQQ"), above("SPY", 200), one("SPY"))},
	{prompt: `if SPY > SMA(SPY,200):\n  if RSI(QQQ,10) > 80: BIL\n  else: QQQ\nelse: TLT`, when: daily, holds: cases(one("TLT"), above("SPY", 200), cases(one("QQQ"), rsiOver("QQQ", 10, 80), one("BIL")))},
	{prompt: `if QQQ is above 20d ma: QQQ\nelse if TLT is above its 20d ma: TLT\nelse: BIL`, when: daily, holds: cases(one("BIL"), above("QQQ", 20), one("QQQ"), above("TLT", 20), one("TLT"))},
	{prompt: "if SPY is below its 200 day average then if RSI(10) of SPY is below 30 hold SPY else BIL else QQQ", when: daily, holds: cases(one("QQQ"), below("SPY", 200), cases(one("BIL"), rsiUnder("SPY", 10, 30), one("SPY")))},
	{prompt: "if SPY is above its 200 day average (if EEM's 6 month return is above SPY's 6 month return then EEM else SPY) else IEF, monthly", when: monthly, holds: cases(one("IEF"), above("SPY", 200), cases(one("SPY"), beats("EEM", "SPY", 126), one("EEM")))},
	{prompt: "unless SPY is below its 200 day average hold SPY, otherwise if TLT's 3 month return is positive hold TLT, otherwise BIL", when: daily, holds: cases(one("BIL"), no(below("SPY", 200)), one("SPY"), rose("TLT", 63), one("TLT"))},
	{prompt: "Weekly: if SPY's 50 day average is above its 200 day average hold QQQ, else if GLD's 50 day average is above its 200 day average hold GLD, else BIL", when: weekly, holds: cases(one("BIL"), cross("SPY", 50, 200), one("QQQ"), cross("GLD", 50, 200), one("GLD"))},
	{prompt: "if SPY is down more than 20% from its all-time high hold QQQ, else if SPY is down more than 10% from its all-time high hold SPY, else 60% SPY and 40% AGG", when: daily, holds: cases(always(weights{"SPY": .6, "AGG": .4}), off("SPY", .2, 0), one("QQQ"), off("SPY", .1, 0), one("SPY"))},
	{prompt: "if SPY is above its 200 day average hold QQQ otherwise hold TLT unless TLT is below its 200 day average, then BIL", when: daily, holds: cases(cases(one("TLT"), below("TLT", 200), one("BIL")), above("SPY", 200), one("QQQ"))},
	{prompt: "if SPY is above its 200 day average by 3% hold SPY, else if SPY is below its 200 day average by 3% hold BIL, else 50% SPY and 50% BIL", when: daily, holds: cases(always(equally("SPY", "BIL")), stretched("SPY", 200, .03), one("SPY"), no(stretched("SPY", 200, -.03)), one("BIL"))},
	{prompt: "if RSI of SPY is below 30 buy 100% QQQ, if RSI of SPY is above 70 buy BIL, else SPY", when: daily, holds: cases(one("SPY"), rsiUnder("SPY", 14, 30), one("QQQ"), rsiOver("SPY", 14, 70), one("BIL"))},
	{prompt: "hold 60/40 SPY/BND; when SPY is 20% off its high, move to 80/20 SPY/BND", when: daily, holds: cases(always(weights{"SPY": .6, "BND": .4}), off("SPY", .2, 0), always(weights{"SPY": .8, "BND": .2}))},
	{prompt: "hold SPY unless it is down more than 20% from its all-time high, in which case hold TLT", when: daily, holds: cases(one("SPY"), off("SPY", .2, 0), one("TLT"))},
	{prompt: "hold TLT if SPY is down 3% over the last 5 days, otherwise SPY", when: daily, holds: cases(one("SPY"), truth(func(p known) bool { return p.ret("SPY", 5) < -.03 }), one("TLT"))},
	{prompt: "hold SPY at 1.5x when above its 200 day average, otherwise TLT", when: daily, holds: cases(one("TLT"), above("SPY", 200), times(1.5, one("SPY")))},
	{prompt: "60% SPY and 40% TLT at 150% leverage when SPY is above its 200 day average, else BIL", when: daily, holds: cases(one("BIL"), above("SPY", 200), always(weights{"SPY": .9, "TLT": .6}))},
	{prompt: "2x SPY when its 20 day volatility is below 15%, 1x SPY when it is below 25%, otherwise cash", when: daily, holds: cases(always(nil), volUnder("SPY", 20, .15), times(2, one("SPY")), volUnder("SPY", 20, .25), one("SPY"))},
	{prompt: "if TLT is above its 100 day average hold (60% TLT and 40% SPY with 1.5x leverage) otherwise (SPY with a 10% volatility target)", when: daily, holds: cases(aimed(one("SPY"), 60, .1, 1), above("TLT", 100), always(weights{"TLT": .9, "SPY": .6}))},
	{prompt: "hold the top 2 of QQQ, EFA, EEM by 6 month momentum if SPY is above its 200 day average and TLT is below its 200 day average, otherwise hold equal weight TLT and GLD", when: daily, holds: cases(always(equally("TLT", "GLD")), all(above("SPY", 200), below("TLT", 200)), bestBy(2, gain(126), "QQQ", "EFA", "EEM"))},
	{prompt: "hold the best of SPY and QQQ by 6 month return if SPY is above its 200 day average and EFA is above its 200 day average, otherwise BIL, monthly", when: monthly, holds: cases(one("BIL"), all(above("SPY", 200), above("EFA", 200)), bestBy(1, gain(126), "SPY", "QQQ"))},
	{prompt: "if SPY beats EFA over 12 months hold SPY otherwise EFA; but if SPY's 12 month return is below BIL's, hold AGG", when: daily, holds: cases(cases(one("EFA"), beats("SPY", "EFA", 252), one("SPY")), beats("BIL", "SPY", 252), one("AGG"))},
	{prompt: "hold QQQ if it is above its 200 day average, but if SPY's RSI is above 80 hold BIL", when: daily, holds: cases(cases(always(nil), above("QQQ", 200), one("QQQ")), rsiOver("SPY", 14, 80), one("BIL"))},
	{prompt: "hold SPY; but if it is below its 200 day average hold TLT; but if RSI of SPY is below 20 hold QQQ", when: daily, holds: cases(cases(one("SPY"), below("SPY", 200), one("TLT")), rsiUnder("SPY", 14, 20), one("QQQ"))},
	{prompt: "60/40 if SPY is above its 200 day average, otherwise 40/60", when: daily, holds: cases(always(weights{"SPY": .4, "AGG": .6}), above("SPY", 200), always(weights{"SPY": .6, "AGG": .4}))},
	{prompt: "60/40 SPY/AGG rebalanced in February if SPY is above its 200 day average and QQQ is above its 50 day average, otherwise BIL", when: endOf(2), holds: cases(one("BIL"), all(above("SPY", 200), above("QQQ", 50)), always(weights{"SPY": .6, "AGG": .4}))},
	{prompt: "60% SPY, 40% AGG if SPY is above its 200 day average and QQQ is above its 200 day average, otherwise BIL, monthly", when: monthly, holds: cases(one("BIL"), all(above("SPY", 200), above("QQQ", 200)), always(weights{"SPY": .6, "AGG": .4}))},

	// the calendar
	{prompt: "hold GLD in January and February, SPY the rest of the year", when: daily, holds: cases(one("SPY"), within(1, 2), one("GLD"))},
	{prompt: "if the month is between November and April hold SPY, else BIL", when: daily, holds: cases(one("BIL"), within(11, 12, 1, 2, 3, 4), one("SPY"))},
	{prompt: "SPY all year except September", when: daily, holds: cases(one("SPY"), within(9), always(nil))},
	{prompt: "hold SPY from the 25th to the 5th of the month, otherwise BIL", when: daily, holds: cases(one("BIL"), truth(func(p known) bool { return p.day() >= 25 || p.day() <= 5 }), one("SPY"))},

	// the best of several
	{prompt: "dual momentum with SPY and EFA, otherwise cash", when: monthly, holds: func(p known) weights {
		h := weights{}
		if b := best(1, func(s string) float64 { return p.ret(s, 252) }, "SPY", "EFA")[0]; p.ret(b, 252) > 0 {
			h[b] = 1
		}
		return h
	}},
	{prompt: "GEM with SPY, VEU and AGG", when: monthly, holds: cases(one("AGG"), beats("SPY", "BIL", 252), bestBy(1, gain(252), "SPY", "VEU"))},
	{prompt: "lowest volatility one of SPY, TLT and GLD", when: monthly, holds: bestBy(1, func(p known, s string) float64 { return -p.vol(s, 60) }, "SPY", "TLT", "GLD")},
	{prompt: "two lowest volatility of SPY, TLT and GLD", when: monthly, holds: bestBy(2, func(p known, s string) float64 { return -p.vol(s, 60) }, "SPY", "TLT", "GLD")},
	{prompt: "filter top 1 by 20d cumulative return: SPY, QQQ, IWM", when: daily, holds: bestBy(1, gain(20), "SPY", "QQQ", "IWM")},
	{prompt: "select the top 2 of SPY QQQ IWM by 10 day return, equal weight, daily", when: daily, holds: bestBy(2, gain(10), "SPY", "QQQ", "IWM")},
	{prompt: "sort SPY, QQQ, TLT by RSI and pick the bottom 1", when: daily, holds: bestBy(1, func(p known, s string) float64 { return -p.rsi(s, 14) }, "SPY", "QQQ", "TLT")},
	{prompt: "buy the 2 losers of SPY, EFA, EEM, TLT over the last 5 days, weekly", when: weekly, holds: bestBy(2, loss(5), "SPY", "EFA", "EEM", "TLT")},
	{prompt: "Each month hold the 2 ETFs out of SPY, QQQ, IWM, EFA, EEM with the best 12-1 momentum", when: monthly, holds: bestBy(2, func(p known, s string) float64 { return p.skipping(s, 252, 21) }, "SPY", "QQQ", "IWM", "EFA", "EEM")},
	{prompt: "sort SPY, QQQ, TLT, GLD by 20 day cumulative return, take the top 2, equal weight", when: daily, holds: bestBy(2, gain(20), "SPY", "QQQ", "TLT", "GLD")},
	{prompt: "hold the asset with the best Sharpe ratio over 6 months among SPY, TLT and GLD", when: monthly, holds: bestBy(1, func(p known, s string) float64 { return p.mean(s, 126) / p.vol(s, 126) }, "SPY", "TLT", "GLD")},
	{prompt: "winner of SPY vs EFA by 12 month return; if the winner is negative hold AGG; monthly", when: monthly, holds: func(p known) weights {
		b := best(1, func(s string) float64 { return p.ret(s, 252) }, "SPY", "EFA")[0]
		return choose(p.ret(b, 252) > 0, only(b), only("AGG"))
	}},
	{prompt: "whichever of QQQ or TLT has the higher 60 day return", when: monthly, holds: bestBy(1, gain(60), "QQQ", "TLT")},
	{prompt: "hold the better of SPY and GLD over the last 100 days", when: monthly, holds: bestBy(1, gain(100), "SPY", "GLD")},
	{prompt: "rotate monthly into the strongest of QQQ, IWM, EFA by 3-month momentum", when: monthly, holds: bestBy(1, gain(63), "QQQ", "IWM", "EFA")},
	{prompt: "equal weight SPY, EFA and IEF, each only while above its 10 month average", when: daily, holds: func(p known) weights {
		h := weights{}
		for _, s := range []string{"SPY", "EFA", "IEF"} {
			if p.above(s, 210) {
				h[s] = 1. / 3
			}
		}
		return h
	}},

	// blends
	{prompt: "half the portfolio in SPY when it is above its 200 day average otherwise BIL, half in TLT", when: daily, holds: mix(.5, cases(one("BIL"), above("SPY", 200), one("SPY")), .5, one("TLT"))},
	{prompt: "50% TQQQ if QQQ is above its 200 day average, else BIL; 50% TMF if TLT is above its 200 day average, else BIL", when: daily, holds: mix(.5, cases(one("BIL"), above("QQQ", 200), one("TQQQ")), .5, cases(one("BIL"), above("TLT", 200), one("TMF")))},
	{prompt: "40% VTI, 20% VXUS, 20% GLD when above its 200 day average else BIL, 20% BND", when: daily, holds: mix(.4, one("VTI"), .2, one("VXUS"), .2, cases(one("BIL"), above("GLD", 200), one("GLD")), .2, one("BND"))},
	{prompt: "60% SPY, 40% in whichever of TLT or GLD has the higher 3 month return", when: monthly, holds: mix(.6, one("SPY"), .4, bestBy(1, gain(63), "TLT", "GLD"))},
	{prompt: "70% VTI, 30% (top 1 of TLT, GLD, BIL by 3 month return), monthly", when: monthly, holds: mix(.7, one("VTI"), .3, bestBy(1, gain(63), "TLT", "GLD", "BIL"))},
	{prompt: "60% QQQ/40% TLT when SPY is above its 200 day average, otherwise 100% BIL", when: daily, holds: cases(one("BIL"), above("SPY", 200), always(weights{"QQQ": .6, "TLT": .4}))},
	{prompt: "60% SPY if above its 200 day average else BIL; 40% AGG", when: daily, holds: mix(.6, cases(one("BIL"), above("SPY", 200), one("SPY")), .4, one("AGG"))},
	{prompt: "60% in QQQ if SPY is above its 200 day average, otherwise BIL, and 40% in TLT if AGG is above its 200 day average, otherwise BIL", when: daily, holds: mix(.6, cases(one("BIL"), above("SPY", 200), one("QQQ")), .4, cases(one("BIL"), above("AGG", 200), one("TLT")))},
	{prompt: "60% (top 2 of SPY, EFA, EEM by 6 month momentum), 40% (AGG when above its 100 day average, otherwise BIL), monthly", when: monthly, holds: mix(.6, bestBy(2, gain(126), "SPY", "EFA", "EEM"), .4, cases(one("BIL"), above("AGG", 100), one("AGG")))},
	{prompt: "25% (QQQ if RSI(10) of QQQ is below 30, else SPY), 25% (TLT when above its 50 day average, otherwise BIL), 50% (60/40 SPY/AGG)", when: daily, holds: mix(.25, cases(one("SPY"), rsiUnder("QQQ", 10, 30), one("QQQ")), .25, cases(one("BIL"), above("TLT", 50), one("TLT")), .5, always(weights{"SPY": .6, "AGG": .4}))},
	{prompt: "80% (60/40 SPY/AGG) and the rest in (GLD when above its 200 day average, otherwise BIL)", when: daily, holds: mix(.8, always(weights{"SPY": .6, "AGG": .4}), .2, cases(one("BIL"), above("GLD", 200), one("GLD")))},
	{prompt: "50% (if SPY is above its 200 day average then if QQQ is above its 50 day average hold QQQ else SPY else BIL), 50% (GLD)", when: daily, holds: mix(.5, cases(one("BIL"), above("SPY", 200), cases(one("SPY"), above("QQQ", 50), one("QQQ"))), .5, one("GLD"))},
	{prompt: "33% (SPY when above its 200 day average, otherwise BIL); 33% (EFA when above its 200 day average, otherwise BIL); the rest in IEF", when: daily, holds: mix(.33, cases(one("BIL"), above("SPY", 200), one("SPY")), .33, cases(one("BIL"), above("EFA", 200), one("EFA")), .34, one("IEF"))},
	{prompt: "50% (50% (SPY when above its 50 day average, otherwise BIL), 50% (SPY when above its 200 day average, otherwise BIL)), 50% (AGG)", when: daily, holds: mix(.25, cases(one("BIL"), above("SPY", 50), one("SPY")), .25, cases(one("BIL"), above("SPY", 200), one("SPY")), .5, one("AGG"))},
	{prompt: "40% SPY, 30% TLT, 30% (GLD if IEF is above its 200 day average, otherwise BIL)", when: daily, holds: mix(.4, one("SPY"), .3, one("TLT"), .3, cases(one("BIL"), above("IEF", 200), one("GLD")))},
	{prompt: "equal weight of three strategies: (SPY when above its 200 day average, otherwise BIL), (60/40 SPY/AGG) and (GLD)", when: daily, holds: mix(1./3, cases(one("BIL"), above("SPY", 200), one("SPY")), 1./3, always(weights{"SPY": .6, "AGG": .4}), 1./3, one("GLD"))},
	{prompt: "Half my money in 60/40 SPY/AGG and half in the top 1 of SPY, EFA by 12 month momentum, monthly", when: monthly, holds: mix(.5, always(weights{"SPY": .6, "AGG": .4}), .5, bestBy(1, gain(252), "SPY", "EFA"))},
	{prompt: "50% in the permanent portfolio and 50% in SPY when it is above its 200 day average, otherwise BIL", when: daily, holds: mix(.5, always(equally("VTI", "TLT", "BIL", "GLD")), .5, cases(one("BIL"), above("SPY", 200), one("SPY")))},
	{prompt: "50% all weather, 50% SPY", when: monthly, holds: always(weights{"VTI": .15, "TLT": .2, "IEF": .075, "GLD": .0375, "DBC": .0375, "SPY": .5})},
	{prompt: "70% permanent portfolio, 30% SPY with a 200 day moving average filter", when: daily, holds: mix(.7, always(equally("VTI", "TLT", "BIL", "GLD")), .3, cases(always(nil), above("SPY", 200), one("SPY")))},
	{prompt: "Weight 60% to the best of QQQ and SPY based on 60 day cumulative return and 40% to TLT", when: monthly, holds: mix(.6, bestBy(1, gain(60), "QQQ", "SPY"), .4, one("TLT"))},
	{prompt: "50% SPY, the other 50% in TLT when TLT is above its 200 day average otherwise BIL", when: daily, holds: mix(.5, one("SPY"), .5, cases(one("BIL"), above("TLT", 200), one("TLT")))},
}

func TestWeightsOfEveryDay(t *testing.T) {
	t.Parallel()
	for _, c := range dayByDay {
		t.Run(c.prompt, func(t *testing.T) {
			t.Parallel()
			text, strange := modelOf(t, newShelf(), strings.ReplaceAll(c.prompt, `\n`, "\n"))
			if strange != nil {
				t.Fatalf("%+v", strange.Words)
			}
			compareDays(t, text, run(t, text), c.when, c.holds, c.band)
		})
	}
}

// TestAThirdIsCalculatedByHand counts the accepted descriptions of the corpus whose weights
// are compared with those of a calculation by hand.
func TestAThirdIsCalculatedByHand(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range byHand {
		known[c.prompt] = true
	}
	for _, c := range dayByDay {
		known[c.prompt] = true
	}
	accepted, calculated := map[string]bool{}, 0
	for _, file := range []string{"corpus", "forums", "trees"} {
		text, err := os.ReadFile("testdata/" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' || accepted[line] {
				continue
			}
			if _, strange := modelOf(t, newShelf(), strings.ReplaceAll(line, `\n`, "\n")); strange == nil {
				accepted[line] = true
				if known[line] {
					calculated++
				}
			}
		}
	}
	if 3*calculated < len(accepted) {
		t.Errorf("the weights of %d of %d accepted descriptions are calculated by hand", calculated, len(accepted))
	}
}
