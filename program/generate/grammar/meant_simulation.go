package grammar

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ballast/program/generate"
)

var (
	amounts  = regexp.MustCompile(`(?i)[\$€£]?\s?(\d[\d,]*(?:\.\d+)?[km]?)\s*(?:dollars |usd )?(?:a|per|each|every|/)\s*(week|month|quarter|year)|[\$€£]?\s?(\d[\d,]*(?:\.\d+)?[km]?)\s*(?:dollars |usd )?(weekly|monthly|quarterly|yearly|annually)`)
	rules    = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*(?:%|percent|per cent|pct)\s*(?:(?:withdrawal|spending) )?rule\b`)
	payments = regexp.MustCompile(`(?i)\b(withdraw\w*|spend\w*|taking out|take out)\b`)
)

// asSimulation rewrites a description that pays money in or out as the simulation that it
// belongs to; "" if it has none.
func (p *parser) asSimulation(ctx context.Context, library generate.Library, words []generate.Word) string {
	text := string(p.prompt)
	flows := slices.ContainsFunc(words, func(w generate.Word) bool { return w.Message == noFlows })
	at, found := amounts.FindStringSubmatchIndex(text), amounts.FindStringSubmatch(text)
	rule := rules.FindStringSubmatchIndex(text)
	switch {
	case at == nil && !flows:
		return ""
	case rule != nil: // a part of the first year's wealth is spent each year
		at, found = rule, []string{"", text[rule[2]:rule[3]] + "%", "year", "", ""}
	case at == nil: // an amount as an example
		at, found = []int{len(text), len(text)}, []string{"", "500", "month", "", ""}
	}
	amount, period := found[1]+found[3], strings.ToLower(found[2])
	if period == "" {
		period = map[string]string{"weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year"}[strings.ToLower(found[4])]
	}
	verb := "save"
	if payments.MatchString(text) || rule != nil {
		verb = "withdraw"
	}
	var shares []string
	for _, x := range p.draftOf(ctx, text[:at[0]]+" , "+text[at[1]:]) {
		shares = append(shares, percent(x.Weight)+" "+x.Key)
	}
	holdings := and(shares)
	if len(shares) == 0 {
		if own := p.ownMembers(); len(own) == 1 {
			holdings = own[0]
		} else {
			return ""
		}
	}
	sentence := fmt.Sprintf("%s %s a %s in %s for 30 years", verb, amount, period, holdings)
	if _, err := UnderstandSimulation(ctx, library, sentence, 2026); err != nil {
		return ""
	}
	return sentence
}

// draftOf returns the shares that a text gives members, whatever else is in it.
func (p *parser) draftOf(ctx context.Context, text string) []Holding {
	sub := newParser(english(), text, tokenize(text), p.members)
	if sub.parse(ctx) != nil {
		return nil
	}
	b := sub.mainBlock()
	if b == nil || len(b.entries) == 0 {
		return nil
	}
	sub.problems, sub.reported = nil, map[int]bool{}
	list := sub.fixed(&Plan{}, b)
	if len(sub.problems) > 0 {
		return nil
	}
	return list
}
