package grammar

import (
	"fmt"
	"strconv"
	"strings"
)

// WriteAnalysis writes the script of an analysis. The same question gives the same text.
func WriteAnalysis(q *Question) string {
	var in inputs
	keys, columns := q.reads()
	in.add(input{name: "universe", kind: "array", value: list(keys, quote), title: "Universe", primary: true})
	if len(columns) > 0 {
		in.add(input{name: "series", kind: "array", value: list(columns, quote), title: "Series"})
	}
	if q.First > 0 {
		in.add(input{name: "start_date", kind: "string", value: quote(fmt.Sprintf("%d-01-01", q.First)), title: "Start date"})
	}
	if q.Last > 0 {
		in.add(input{name: "end_date", kind: "string", value: quote(fmt.Sprintf("%d-12-31", q.Last)), title: "End date"})
	}
	var b strings.Builder
	b.WriteString(`"""` + strings.Join(wrap(plainText(DescribeAnalysis(q)), 96), "\n") + "\n" + `"""` + "\n")
	fmt.Fprintf(&b, "from harness import %s\n\nNAME = %s\n", q.Kind, quote(q.Name))
	if q.Symbol != "" {
		fmt.Fprintf(&b, "SYMBOL = %s\n", quote(q.Symbol))
	}
	fmt.Fprintf(&b, "\n%s\n\ndef analyze(ctx):\n    return %s(%s)\n", in.text(), q.Kind, strings.Join(q.arguments(), ", "))
	return b.String()
}

// arguments are those of the call, after the rules of the function's signature.
func (q *Question) arguments() []string {
	args := []string{"ctx"}
	named := func(name, value string, there bool) {
		if there {
			args = append(args, name+"="+value)
		}
	}
	switch q.Kind {
	case factorsKind, styleKind:
		args = append(args, quote(q.Keys[0]), list(q.On, quote))
	case sweepKind, walkForwardKind:
		args = append(args, quote(q.Keys[0]), q.grid())
	case attributionKind:
		args = append(args, quote(q.Keys[0]))
	default:
		args = append(args, list(q.Keys, quote))
	}
	if q.Kind == rollingKind {
		args = append(args, list(q.Years, strconv.Itoa))
	}
	if q.Kind == regimesKind {
		args = append(args, quote(q.Rule))
	}
	named("train_years", shortNumber(q.Train), q.Train > 0)
	named("test_years", shortNumber(q.Test), q.Test > 0)
	named("anchored", "True", q.Anchored)
	named("metric", quote(q.Metric), q.Metric != "")
	named("keep", strconv.Itoa(q.Keep), q.Keep > 0)
	named("benchmark", quote(q.Against), q.Against != "")
	named("frequency", quote(q.Frequency), q.Frequency != "")
	named("method", quote(q.Method), q.Method != "")
	named("riskless", quote(q.Riskless), q.Riskless != "")
	if q.Lags != nil {
		named("lags", strconv.Itoa(*q.Lags), true)
	}
	named("level", float(q.Level), q.Level > 0)
	named("n", strconv.Itoa(q.Most), q.Most > 0)
	named("by", quote(q.By), q.By != "")
	named("points", strconv.Itoa(q.Points), q.Points > 0)
	if q.Cap > 0 {
		named("bounds", fmt.Sprintf("{%q: [0, %s]}", "default", float(q.Cap)), true)
	}
	if len(q.Episodes) > 0 {
		named("episodes", list(q.Episodes, func(e Episode) string {
			return fmt.Sprintf("{%q: %s, %q: %s, %q: %s}", "name", quote(e.Name), "first", quote(e.First), "last", quote(e.Last))
		}), true)
	}
	if len(q.Shocks) > 0 {
		moves := list(q.Shocks, func(x Shock) string { return quote(x.Key) + ": " + float(x.Move) })
		named("shocks", "{"+strings.TrimSuffix(strings.TrimPrefix(moves, "["), "]")+"}", true)
	}
	return args
}
