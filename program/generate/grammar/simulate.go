package grammar

import (
	"context"
	"fmt"
	"sync"

	"ballast/program/generate"
)

// plans is everything that can be said of simulations.
var plans = sync.OnceValue(func() *language {
	return newLanguage(about{
		filler: planFiller, introducing: planIntroducing, hints: planHints, accepted: acceptedPlans,
		money: "it is not clear what this amount is for: say withdraw, save, start with, or a pension of",
		date:  "it is not clear what happens then",
	}, paymentPhrases, rulePhrases, settingPhrases, sourcePhrases, glidePhrases, sharePhrases, portfoliosAlone, namePhrases)
})

// portfoliosAlone are the well-known portfolios with fixed shares.
var portfoliosAlone = portfolioPhrases[:len(wellKnown)]

// UnderstandSimulation reads the description of a simulation. year is the current
// calendar year, which is the first of the plan. It fails with a
// *generate.NotUnderstood, or with the library's own error.
func UnderstandSimulation(ctx context.Context, library generate.Library, prompt string, year int) (*Simulation, error) {
	p, err := begin(ctx, plans(), library, prompt)
	if err != nil {
		return nil, err
	}
	p.future = &future{year: year}
	if err := p.parse(ctx); err != nil {
		return nil, fmt.Errorf("read a description: %w", err)
	}
	s := p.simulation()
	if p.failure() != nil {
		return nil, p.suggest(ctx, library)
	}
	return s, nil
}

// planFiller are words that may be anywhere in a simulation and mean nothing.
var planFiller = set(`
	a an the this these my our your i we you me
	please kindly hi hello thanks thank
	build make create construct design generate write give run show do
	want would like need should will shall can could let lets let's i'd i'm we'd i'll i've
	portfolio portfolios strategy allocation mix plan scenario case
	that which it its 's is are be being having
	simple basic plain classic standard
	etf etfs fund funds asset assets ticker symbol
	invested allocated held kept
	based consisting composed
	just so also plus with and as at for by on using use via
	new money`)

// planIntroducing are fillers after which a member is expected.
var planIntroducing = set(`hold holding holds in into of to between among across invest investing over with using use on own owning split spread put keep`)

// planHints explain what to do about things that simulations cannot do.
var planHints = func() map[string]string {
	const (
		noTax    = "taxes are not computed: say withdrawals before tax, or a fee"
		choose   = "a simulation holds fixed shares: make a model of this, and simulate the model by its name"
		converts = "amounts are in the currency of the prices, and nothing is converted: leave the currency out"
		spend    = "how much, and how often? Say withdraw 4 % a year, or withdraw 40,000 a year"
		save     = "how much, and how often? Say save 1,000 a month"
		one      = "or is a choice: say one of the two, and make another simulation of the other"
	)
	return map[string]string{
		"tax": noTax, "taxes": noTax, "taxed": noTax, "after tax": noTax, "roth": noTax, "ira": noTax, "401k": noTax,
		"momentum": choose, "average": choose, "risk parity": choose, "volatility": choose, "top": choose, "rotation": choose, "when": choose, "leverage": choose, "short": choose,
		"euros": converts, "euro": converts, "eur": converts, "pounds": converts, "gbp": converts, "€": converts, "£": converts,
		"withdraw": spend, "withdrawing": spend, "withdrawals": spend, "spend": spend, "spending": spend, "save": save, "saving": save, "contribute": save, "contributions": save,
		"or": one, "weekly": "money moves monthly: say a year, a quarter or a month", "week": "money moves monthly: say a year, a quarter or a month", "daily": "money moves monthly: say a year, a quarter or a month",
		"mortality": "nobody's death is simulated: say until which age the money has to last", "spouse": "each income is said by itself: plus a pension of 20,000 a year from year 10",
		"from":      "from when, or from how much? Say from 2034 to 2038, from year 10, or from 1,000,000",
		"inflation": "which? Say inflation of 3 %, or inflation from a column of a series, such as CPI.ALL",
		"until":     "until when? Say until age 95, until 2055, or until I have 500,000",
		"about":     "an amount is exact: leave this out", "roughly": "an amount is exact: leave this out", "around": "an amount is exact: leave this out", "approximately": "an amount is exact: leave this out",
		"band": "a simulation is rebalanced monthly, quarterly, yearly or never", "bands": "a simulation is rebalanced monthly, quarterly, yearly or never",
	}
}()

// acceptedPlans lists phrases that are understood of simulations.
var acceptedPlans = []string{
	"Monte Carlo of 60/40 SPY/AGG, 30 years, withdraw 4% a year adjusted for inflation",
	"how much can I spend from 1,000,000 over 40 years with 90% success",
	"save 1,000 a month until I have 500,000",
	"what if I had retired in each month since 1970 with 60/40",
	"college fund: 40,000 a year from 2034 to 2038, starting with 50,000",
	"save 1,000 a month for 20 years, then withdraw 40,000 a year for 30 years",
	"withdraw 5% of the portfolio each year",
	"withdraw 5% a year with guardrails, by VPW, with a ratchet, by life expectancy from age 72, with a floor of 85% and a ceiling of 120%",
	"plus a pension of 20,000 a year from year 10",
	"plus a one-off expense of 50,000 in year 5",
	"from 90% SPY to 40% SPY over 30 years, the rest AGG",
	"with a fee of 0.5%; inflation 3%; inflation from CPI.ALL; 5,000 paths; seed 7; rebalanced yearly",
	"block bootstrap with 24-month blocks; normal; Student t; historical cycles",
}
