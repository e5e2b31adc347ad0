package simulation

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/script"
	"ballast/script/harness"
	"ballast/simulate"
)

// InWords says in sentences what a run of a simulation computes, and what is uncertain
// about its result. inputs are those of the run, and scalars its result's. Nothing is
// said of what only the running script knows.
func InWords(p *script.Script, inputs json.RawMessage, scalars []script.Scalar) (plan, uncertain []string) {
	w := wording{script: p, inputs: map[string]any{}, scalars: map[string]float64{}}
	if json.Unmarshal(inputs, &w.inputs) != nil {
		return nil, nil
	}
	for _, x := range scalars {
		w.scalars[x.Name] = float64(x.Value)
	}
	return w.plan(), w.uncertain()
}

// wording writes about one run.
type wording struct {
	script  *script.Script
	inputs  map[string]any
	scalars map[string]float64
}

func (w *wording) number(input string) float64 {
	v, _ := w.inputs[input].(float64)
	return v
}

func (w *wording) text(input string) string {
	v, _ := w.inputs[input].(string)
	return v
}

func (w *wording) history() bool { return w.text(sourceInput) == string(simulate.History) }

func (w *wording) plan() []string {
	futures := fmt.Sprintf("%s simulated futures", amount(w.number(pathsInput)))
	if w.history() {
		futures = "one future for each past start"
	}
	sentences := []string{fmt.Sprintf("The plan starts with %s and runs for %s, in %s.", amount(w.number(startValueInput)), years(w.number(yearsInput)), futures)}
	sentences = append(sentences, w.payments()...)
	sentences = append(sentences, w.holdings(), w.source())
	sentences = append(sentences, w.prices(), w.fee())
	return slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
}

// payments says what is paid, by the rules that the script calls.
func (w *wording) payments() []string {
	var sentences []string
	for _, call := range w.script.Sum(w.inputs) {
		sentences = append(sentences, ruleInWords(call, w.number(startValueInput))...)
	}
	if sentences == nil {
		sentences = []string{"The script computes what is paid" + w.rulesUsed() + "."}
	}
	often := map[string]string{"yearly": "year", "quarterly": "quarter", "monthly": "month"}[w.script.Words[stepConstant]]
	if often == "month" {
		return append(sentences, "Each month begins with a decision and its payment; then come the month's return and the fee.")
	}
	return append(sentences, fmt.Sprintf("Each %s begins with a decision; its money is paid in equal parts at the beginning of each month, before the month's return and the fee.", often))
}

// rulesUsed names the rules of the harness that the script mentions.
func (w *wording) rulesUsed() string {
	var rules []string
	for _, name := range w.script.Harness() {
		if harness.OfKind(Kind.Name, name) {
			rules = append(rules, name)
		}
	}
	if len(rules) == 0 {
		return ""
	}
	return ", with the rules " + joined(rules)
}

func (w *wording) holdings() string {
	members, _ := w.inputs["universe"].([]any)
	weights, _ := w.inputs[weightsInput].([]any)
	parts, sum := make([]string, len(members)), 0.0
	for i, m := range members {
		weight := 1 / float64(len(members))
		if i < len(weights) {
			weight, _ = weights[i].(float64)
		}
		sum += weight
		parts[i] = fmt.Sprintf("%v (%s)", m, percent(weight))
	}
	back := map[string]string{"monthly": "every month", "quarterly": "every quarter", "yearly": "every year"}[w.text(rebalanceInput)]
	sentence := "It holds " + joined(parts) + "."
	switch {
	case len(members) == 1 && math.Abs(sum-1) < 1e-9:
	case back == "":
		sentence += " The weights are never brought back."
	default:
		sentence += " They are brought back to these weights " + back + "."
	}
	if rest := 1 - sum; rest > 1e-9 {
		sentence += fmt.Sprintf(" The rest, %s, is cash without interest.", percent(rest))
	}
	if w.script.Mentions["weights"] {
		sentence += " The script may change the weights as the plan goes on."
	}
	return sentence
}

func (w *wording) source() string {
	switch simulate.Source(w.text(sourceInput)) {
	case simulate.Stationary:
		return "Each future is put together from blocks of past months, " + w.block("block_stationary", " long on average") + ". A month is drawn with the returns of all members."
	case simulate.Circular:
		return "Each future is put together from blocks of past months, each " + w.block("block_circular", " long") + ". A month is drawn with the returns of all members."
	case simulate.Independent:
		return "Each future is put together from single past months. A month is drawn with the returns of all members."
	case simulate.Normal:
		return "Months are drawn from a normal distribution with the means and covariances of the past months."
	case simulate.StudentT:
		return "Months are drawn from a Student t distribution with the means and covariances of the past months, and the kurtosis of the plan's own."
	case simulate.History:
		return "Each future is what has happened from one past month on."
	}
	return ""
}

// block is the length of blocks that the months were drawn in. best names the scalar
// with the best length of the data.
func (w *wording) block(best, long string) string {
	length, note := w.number(blockInput), ""
	if length == 0 {
		measured := w.scalars[best]
		if length = 12; !math.IsNaN(measured) {
			length = max(measured, 1)
		}
		note = " (the best length for the data: Patton, Politis and White 2009)"
	}
	if w.text(sourceInput) == string(simulate.Circular) {
		length = max(math.Round(length), 1)
	}
	if length == 1 {
		return "1 month" + long + note
	}
	return decimals(length, 1) + " months" + long + note
}

func (w *wording) prices() string {
	if name := w.text(inflationInput); name != "" {
		sentence := fmt.Sprintf("Prices rise as %s says, month by month", name)
		switch simulate.Source(w.text(sourceInput)) {
		case simulate.History:
			sentence = fmt.Sprintf("Prices rise as they have risen, by %s", name)
		case simulate.Normal, simulate.StudentT:
			sentence = fmt.Sprintf("Inflation is drawn together with the returns, from the months of %s", name)
		}
		if mean, known := w.scalars["inflation"]; known {
			sentence += fmt.Sprintf(": by %s a year on average over the data", percentTo(mean, 2))
		}
		return sentence + "."
	}
	return fmt.Sprintf("Prices rise by %s a year.", percent(w.number(inflationInput)))
}

func (w *wording) fee() string {
	if fee := w.number(feeInput); fee != 0 {
		return fmt.Sprintf("A fee of %s of the value a year is taken month by month.", percent(fee))
	}
	return "No fee is taken."
}

func (w *wording) uncertain() []string {
	var sentences []string
	if success, ok := w.scalars["success"]; ok && !math.IsNaN(success) {
		low, high := percentTo(w.scalars["success_low"], 1), percentTo(w.scalars["success_high"], 1)
		if w.history() {
			sentences = append(sentences, fmt.Sprintf("%s of the past starts pay everything. Its 95 %% interval, %s to %s (Wilson 1927), takes the starts as independent. They overlap, so the true uncertainty is larger.", percentTo(success, 1), low, high))
		} else {
			sentences = append(sentences, fmt.Sprintf("%s of %s futures pay everything. More draws could give anything from %s to %s (95 %% interval, Wilson 1927). This is only the Monte Carlo error: four times as many paths halve it.",
				percentTo(success, 1), amount(w.number(pathsInput)), low, high))
		}
	}
	if months, ok := w.scalars["months"]; ok {
		length := w.number(yearsInput)
		sentences = append(sentences, fmt.Sprintf("%s have %s of data in common. That is %s of a %s-year window: no number of paths makes up for what has not been seen.",
			w.members(), years(months/12), decimals(w.scalars["independent_windows"], 1), decimals(length, 0)))
	}
	switch simulate.Source(w.text(sourceInput)) {
	case simulate.Stationary, simulate.Circular, simulate.Independent:
		sentences = append(sentences, "The futures are the months of this history in other orders. Worse months than these, and other trends, are in none of them.")
	case simulate.Normal, simulate.StudentT:
		sentences = append(sentences, "The months of a fitted distribution do not depend on each other: long slumps and recoveries are rarer than in history, or more common.")
	case simulate.History:
		sentences = append(sentences, "Only what has happened is replayed, and only in its order.")
	}
	return append(sentences,
		w.inflation(),
		"The returns are hypothetical: total returns of the members, of models those of a backtest, before costs and taxes other than what the plan takes.")
}

// members names what the months of data are common to.
func (w *wording) members() string {
	if name := w.text(inflationInput); name != "" {
		return "The members and " + name
	}
	return "The members"
}

// inflation says what is uncertain about prices.
func (w *wording) inflation() string {
	switch {
	case w.text(inflationInput) == "":
		return "Inflation is the same in every year of every future."
	case w.history():
		return "Inflation is what it was in these months."
	}
	return "Inflation is that of the same months as the returns: what the two have had to do with each other stays, but no inflation is in any future that was not in this data."
}

// joined lists a few names.
func joined(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

func years(n float64) string {
	if n == 1 {
		return "1 year"
	}
	return decimals(n, 1) + " years"
}

// percent writes a fraction with as many digits as it has, up to four decimals.
func percent(v float64) string { return percentTo(v, 4) }

func percentTo(v float64, most int) string { return decimals(100*v, most) + "\u202f%" }

// amount writes money or a count.
func amount(v float64) string {
	text := decimals(v, 2)
	whole, rest, point := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return sign + whole
}

// decimals formats a number with at most the given number of decimals.
func decimals(v float64, most int) string {
	text := strconv.FormatFloat(v, 'f', most, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
