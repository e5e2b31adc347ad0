package grammar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ballast/program/generate"
)

// asking are words with which a question about members begins, and descriptions of models
// do not.
var asking = set("what what's how how's why which compare show plot chart calculate compute measure analyze analyse test backtest evaluate statistics stats metrics performance cagr sharpe sortino calmar volatility drawdown drawdowns alpha beta correlation correlations regress regression exposure exposures factors tear tearsheet")

// answers are the analyses that answer a question, by a word of it and by how many
// members it names at least.
var answers = []struct {
	words   map[string]bool
	members int
	form    string // %s are the members, or the first and the others
}{
	{set("drawdown drawdowns"), 1, "worst drawdowns of %s"},
	{set("correlation correlations correlated correlate"), 2, "correlation of %s"},
	{set("beta alpha regress regression exposure exposures factors loadings"), 2, "factor regression of %s on %s"},
	{set("var cvar shortfall"), 1, "value at risk of %s"},
	{set("statistics stats metrics performance perform performed cagr sharpe sortino calmar volatility return returns compare do did backtest tear tearsheet evaluate analyze analyse alpha beta regress exposure"), 2, "report on %s against %s"},
	{set("statistics stats metrics performance perform performed cagr sharpe sortino calmar volatility return returns compare do did backtest tear tearsheet evaluate analyze analyse"), 1, "report on %s"},
}

// asAnalysis rewrites a question about members as an analysis that answers it; "" if the
// description asks for nothing, or about a mix, which has to be a model first.
func (p *parser) asAnalysis(ctx context.Context, library generate.Library) string {
	first := 0
	if len(p.tokens) > 1 && (p.tokens[0].is("the") || p.tokens[0].is("annual") || asking[p.tokens[1].lower] && strings.HasPrefix(p.tokens[1].lower, "drawdown")) {
		first++ // the volatility of SPY, max drawdown of SPY
	}
	own := p.ownMembers()
	if first >= len(p.tokens) || !asking[p.tokens[first].lower] || len(own) == 0 || slices.ContainsFunc(p.tokens, func(t token) bool {
		return t.is("if") || t.is("when") || t.is("otherwise") || t.is("hold") || t.is("%") || t.is("/")
	}) {
		return ""
	}
	for _, q := range answers {
		if len(own) < q.members || !slices.ContainsFunc(p.tokens, func(t token) bool { return q.words[t.lower] }) {
			continue
		}
		sentence := fmt.Sprintf(q.form, and(own))
		if strings.Count(q.form, "%s") == 2 {
			sentence = fmt.Sprintf(q.form, own[0], and(own[1:]))
		}
		if _, err := UnderstandAnalysis(ctx, library, sentence); err == nil {
			return sentence
		}
	}
	return ""
}
