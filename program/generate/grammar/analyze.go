package grammar

import (
	"context"
	"fmt"
	"sync"

	"ballast/program/generate"
)

// questions is everything that can be asked of an analysis.
var questions = sync.OnceValue(func() *language {
	return newLanguage(about{
		filler: questionFiller, introducing: questionIntroducing, hints: questionHints, accepted: acceptedQuestions,
		money: "an amount of money is no part of an analysis: leave it out",
		date:  "say years: since 2010, from 2010 to 2020, or in 2022",
	}, questionPhrases, sweepPhrases, questionMembers, questionSettings, questionDates, namePhrases)
})

// UnderstandAnalysis reads the description of an analysis. It fails with a
// *generate.NotUnderstood, or with the library's own error.
func UnderstandAnalysis(ctx context.Context, library generate.Library, prompt string) (*Question, error) {
	p, err := begin(ctx, questions(), library, prompt)
	if err != nil {
		return nil, err
	}
	p.asked = &inquiry{columns: map[string]bool{}}
	if p.asked.series, err = library.Series(ctx); err != nil {
		return nil, fmt.Errorf("list the series that a description can name: %w", err)
	}
	if err := p.parse(ctx); err != nil {
		return nil, fmt.Errorf("read a description: %w", err)
	}
	q := p.question()
	if p.failure() != nil {
		return nil, p.suggest(ctx, library)
	}
	return q, nil
}

// questionFiller are words that may be anywhere in a question and mean nothing.
var questionFiller = set(`
	a an the this these my our your i we you me us
	please kindly hi hello thanks thank
	build make create do run give show tell find compute calculate want would like need should can could let lets let's i'd
	portfolio portfolios strategy strategies allocation mix model models
	that which it its 's is are was were be being have has had
	simple basic plain classic standard
	etf etfs fund funds asset assets ticker symbol index indices benchmark
	just so also plus and as at for by with using use`)

// questionIntroducing are fillers after which a member is expected.
var questionIntroducing = set(`of in into to between among across for with using use and on over from by`)

// questionHints explain what to do about things that analyses cannot do.
var questionHints = func() map[string]string {
	const (
		sweep  = "say sweep MOM over lookback 3 to 12, or walk-forward of MOM over lookback 3 to 12"
		future = "an analysis is about the past; what may come is a simulation: POST /v1/simulations"
		one    = "or is a choice: ask one of the two, and the other in another analysis"
		build  = "a model is described at POST /v1/models; an analysis is about models and assets that exist"
	)
	return map[string]string{
		"optimize": sweep, "optimise": sweep,
		"forecast": future, "predict": future, "monte carlo": future, "will": future, "withdraw": future,
		"or": one, "hold": build, "buy": build, "rebalanced": build, "rebalance": build, "invest": build,
		"weekly":    "returns are compared daily or monthly",
		"quarterly": "returns are compared daily or monthly",
		"yearly":    "returns are compared daily or monthly; attribution is by year",
		"from":      "from when? Say from 2010 to 2020",
		"until":     "until when? Say until 2020",
		"since":     "since when? Say since 2010",
		"sharpe":    "figures such as the Sharpe ratio are part of a report: say report on the model's name",
		"why":       "say what is to be computed: a factor regression, style analysis or attribution",
	}
}()

// acceptedQuestions lists phrases that are understood of analyses.
var acceptedQuestions = []string{
	"factor regression of MOM on the Fama-French five factors; on SPY, EFA and AGG",
	"how correlated are SPY, TLT, GLD and my model; rank correlation; monthly",
	"what explains MOM: style analysis on SPY, EFA, AGG",
	"stress test of MOM in 2008 and 2020; how did MOM do in the financial crisis",
	"where did the return of MOM come from in 2022",
	"attribution of MOM against SIXTY40 by year",
	"worst 5 drawdowns of SIXTY40 against SPY",
	"rolling 3-year returns of MOM against SPY",
	"value at risk of MOM at 99%",
	"principal components of SPY, TLT, GLD and EFA",
	"how did SPY and TLT do in bear markets; in volatile markets; in uptrends",
	"sweep MOM over lookback 3 to 12 and hold 1, 2 and 3, by Sortino ratio, keep the best 3",
	"walk-forward of MOM over lookback 3 to 12, training of 5 years, tests of 1 year, anchored",
	"report on MOM against SPY",
	"since 2010; from 2010 to 2020; in 2022; monthly returns",
	`called "Factors of MOM", symbol FMOM`,
}
