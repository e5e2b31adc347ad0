package grammar

import (
	"fmt"
	"strings"
)

// Question is one analysis that was understood: everything that its script and
// description say.
type Question struct {
	Kind   string // the function of the harness
	Name   string
	Symbol string // "" if none was given

	Keys      []string        // what is analyzed, in the order of the description
	On        []string        // what explains it: factors, styles
	Against   string          // a benchmark, or ""
	Riskless  string          // the column of a series, or ""
	columns   map[string]bool // those of the names above that are columns of series
	Frequency string          // daily, monthly; "" for the function's default
	Method    string          // of a correlation; ""
	Lags      *int            // of Newey and West
	Level     float64         // of value at risk; 0 for the default
	Most      int             // drawdowns; 0 for the default
	Years     []int           // of rolling windows
	By        string          // member, year; "" for the default
	Rule      string          // of regimes

	Varied      []variation // inputs of a sweep or a walk-forward
	Metric      string      // what is best; "" for the default
	Keep        int         // points that are kept
	Train, Test float64     // years
	Anchored    bool

	Episodes []Episode
	Shocks   []Shock // moves of factors, all at once
	Cap      float64 // most weight of each member of a frontier; 0 without one
	Points   int     // portfolios of a frontier; 0 for the default

	First, Last int // calendar years; 0 without

	Notes []string // assumptions, as sentences
}

// Episode is a time of stress, from its first to its last day.
type Episode struct{ Name, First, Last string }

// Shock is how far a factor moves, a fraction.
type Shock struct {
	Key  string
	Move float64
}

// String says the move in words.
func (s Shock) String() string {
	if s.Move < 0 {
		return s.Key + " falls by " + percent(-s.Move)
	}
	return s.Key + " rises by " + percent(s.Move)
}

// reads returns the members and the columns of series that the question names, each once.
func (q *Question) reads() (keys, columns []string) {
	seen := map[string]bool{"": true}
	add := func(list ...string) {
		for _, key := range list {
			if !seen[key] {
				seen[key] = true
				if q.columns[key] {
					columns = append(columns, key)
				} else {
					keys = append(keys, key)
				}
			}
		}
	}
	add(q.Keys...)
	add(q.On...)
	add(q.Against, q.Riskless)
	for _, x := range q.Shocks {
		add(x.Key)
	}
	return keys, columns
}

// DescribeAnalysis says in plain words what an analysis computes and what was assumed.
func DescribeAnalysis(q *Question) string {
	lines := []string{q.sentence() + q.window() + "."}
	if q.Kind == factorsKind {
		if q.Riskless != "" {
			lines = append(lines, fmt.Sprintf("Returns are in excess of %s.", q.Riskless))
		}
		if q.Lags != nil {
			lines = append(lines, fmt.Sprintf("The standard errors are those of Newey and West with %d lags.", *q.Lags))
		} else {
			lines = append(lines, "The standard errors are those of Newey and West, with lags by the number of returns.")
		}
	}
	for _, e := range q.Episodes {
		lines = append(lines, fmt.Sprintf("%s is %s to %s.", e.Name, e.First, e.Last))
	}
	return strings.Join(append(lines, q.Notes...), " ")
}

// sentence says what is computed, without a window and a full stop.
func (q *Question) sentence() string {
	keys, on := and(q.Keys), and(q.On)
	often := ""
	if q.Frequency != "" {
		often = q.Frequency + " "
	}
	switch q.Kind {
	case factorsKind:
		return fmt.Sprintf("Regresses the %sreturns of %s on %s", often, keys, on)
	case styleKind:
		return fmt.Sprintf("Finds the mix of %s, without short positions, whose %sreturns are nearest to those of %s", on, often, keys)
	case correlationKind:
		method := "Correlates"
		if q.Method == "spearman" {
			method = "Correlates the ranks of"
		}
		return fmt.Sprintf("%s the %sreturns of %s", method, often, keys)
	case componentsKind:
		return fmt.Sprintf("Finds the principal components of the %sreturns of %s", often, keys)
	case tailsKind:
		level := ""
		if q.Level > 0 {
			level = fmt.Sprintf(" at %s", percent(q.Level))
		}
		return fmt.Sprintf("Finds the value at risk and the expected shortfall%s of %s", level, keys)
	case drawdownsKind:
		most := ""
		if q.Most > 0 {
			most = fmt.Sprintf("%d ", q.Most)
		}
		return fmt.Sprintf("Lists the %sworst drawdowns of %s", most, keys)
	case rollingKind:
		return fmt.Sprintf("Follows return, volatility and beta of %s over rolling windows of %s%s", keys, yearsList(q.Years), q.against())
	case attributionKind:
		by := ""
		if q.By != "" {
			by = " by " + q.By
		}
		if q.Against == "" {
			return fmt.Sprintf("Shows what each member of %s contributed to its return%s", keys, by)
		}
		return fmt.Sprintf("Shows where the difference between %s and %s comes from%s", keys, q.Against, by)
	case stressKind:
		if len(q.Shocks) > 0 {
			return fmt.Sprintf("Shows what the loadings of %s imply if %s", keys, q.shock())
		}
		return fmt.Sprintf("Follows %s through times of stress, as held then and with today's weights", keys)
	case frontierKind:
		limit := "without short positions"
		if q.Cap > 0 {
			limit += fmt.Sprintf(" and with at most %s each", percent(q.Cap))
		}
		return fmt.Sprintf("Finds the efficient frontier of the %sreturns of %s, %s", often, keys, limit)
	case regimesKind:
		return fmt.Sprintf("Shows what %s did in each regime by %s", keys, q.Rule)
	}
	if len(q.Varied) > 0 {
		return q.sweepSentence()
	}
	return fmt.Sprintf("Reports on %s%s", keys, q.against())
}

// shock says how factors move.
func (q *Question) shock() string {
	moves := make([]string, len(q.Shocks))
	for i, x := range q.Shocks {
		moves[i] = x.String()
	}
	return and(moves)
}

func (q *Question) against() string {
	if q.Against == "" {
		return ""
	}
	return " against " + q.Against
}

// window says which years are used.
func (q *Question) window() string {
	switch {
	case q.First > 0 && q.First == q.Last:
		return fmt.Sprintf(", in %d", q.First)
	case q.First > 0 && q.Last > 0:
		return fmt.Sprintf(", from %d to %d", q.First, q.Last)
	case q.First > 0:
		return fmt.Sprintf(", since %d", q.First)
	case q.Last > 0:
		return fmt.Sprintf(", until %d", q.Last)
	}
	return ""
}

// yearsList writes 1, 3 and 5 years.
func yearsList(list []int) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, fmt.Sprint(n))
	}
	if len(list) == 1 && list[0] == 1 {
		return "1 year"
	}
	return and(texts) + " years"
}
