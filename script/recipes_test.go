package script

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/sample"
)

// stands maps the symbols in the page's recipes to assets of the sample market.
var stands = map[string]string{
	"SPY": "SYN-LARGE", "EFA": "SYN-EUROPE", "EEM": "SYN-EMERG", "AGG": "SYN-BOND", "TLT": "SYN-LONG", "BIL": "SYN-BILLS", "GLD": "SYN-GOLD",
}

// sampleMarket returns the sample market with the recipes' symbols.
func sampleMarket(t *testing.T) map[string]timeseries.Series {
	t.Helper()
	var file bytes.Buffer
	if err := sample.WriteBars(&file); err != nil {
		t.Fatal(err)
	}
	names := make(map[string]string, len(stands))
	for symbol, asset := range stands {
		names[asset] = symbol
	}
	market, last := make(map[string]timeseries.Series, len(stands)), make(map[string]float64, len(stands))
	rows := csv.NewReader(&file)
	rows.ReuseRecord = true
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return market
		}
		if err != nil {
			t.Fatal(err)
		}
		symbol, wanted := names[row[0]]
		if !wanted {
			continue
		}
		date, err := timeseries.ParseDate(row[1])
		if err != nil {
			t.Fatal(err)
		}
		adjusted, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		s, begun := market[symbol]
		if begun {
			s.Dates = append(s.Dates, date)
			s.Returns = append(s.Returns, adjusted/last[symbol]-1)
		} else {
			s.Base = date
		}
		market[symbol], last[symbol] = s, adjusted
	}
}

// recipes returns the scripts in the contract's page, except the example at its top.
func recipes(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../docs/script-contract.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "\n## Recipes\n")
	var texts []string
	for _, block := range strings.Split(after, "```python\n")[1:] {
		text, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatal("a recipe without an end")
		}
		texts = append(texts, text)
	}
	if len(texts) < 8 {
		t.Fatalf("the page has %d recipes", len(texts))
	}
	return texts
}

// TestRecipesRun runs every recipe of the contract's page over the sample market. A recipe
// with a symbol can be a member of later ones.
func TestRecipesRun(t *testing.T) {
	t.Parallel()
	market := sampleMarket(t)
	for _, text := range recipes(t) {
		p := mustCheck(t, text)
		result := runRecipe(t, p, market)
		if p.Symbol != "" {
			market[p.Symbol] = timeseries.Series{Base: result.Dates[0], Dates: result.Dates[1:], Returns: result.Returns[1:]}
		}
	}
}

func runRecipe(t *testing.T, p *Script, market map[string]timeseries.Series) *backtest.Result {
	t.Helper()
	var sources []timeseries.Source
	for _, symbol := range p.Universe {
		s, ok := market[symbol]
		if !ok {
			t.Fatalf("%s: nothing stands in for %s", p.Name, symbol)
		}
		sources = append(sources, timeseries.Source{Key: symbol, Series: s})
	}
	frame, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(p.Name, err)
	}
	inputs, _ := p.Bind(nil)
	r, err := NewRunner(p, inputs, frame, RunnerLimits{})
	if err != nil {
		t.Fatal(p.Name, err)
	}
	result, err := backtest.Run(context.Background(), frame, p.Spec(inputs), r, backtest.Everything)
	if err != nil {
		t.Fatal(p.Name, err)
	}
	end := result.Equity[len(result.Equity)-1]
	if len(result.Dates) < 3000 || len(result.Ledger) < 10 || math.IsNaN(end) || end < 5000 {
		t.Errorf("%s: %d days, %d rows of the ledger, %v at the end", p.Name, len(result.Dates), len(result.Ledger), end)
	}
	for i, column := range result.Weights {
		for _, w := range column {
			if w < -1e-12 || w > 1.8 {
				t.Fatalf("%s: member %d weighs %v", p.Name, i, w)
			}
		}
	}
	t.Logf("%s: %s to %s, %d fills, %.0f at the end", p.Name, result.Dates[0], result.Dates[len(result.Dates)-1], result.Summary.RebalanceDates, end)
	return result
}
