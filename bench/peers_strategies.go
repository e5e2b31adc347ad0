package bench

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Strategy is one of the compared models. Its exported fields describe it to the peers;
// bench/peers/strategies.py says what they mean.
type Strategy struct {
	Name    string             `json:"name"`
	Members []string           `json:"members"`
	Decide  string             `json:"decide"` // monthly, quarterly, once, band or given
	Late    bool               `json:"late"`   // fills at the next close
	Weights map[string]float64 `json:"weights"`
	Band    float64            `json:"band"`
	Fills   map[string]target  `json:"fills"` // of our own run, by date, if the peers have no such rule

	schedule string // of the script
	imports  string // from the harness
	body     string // of decide, its lines; a return of Weights where empty
}

// target is weights by member.
type target map[string]float64

var (
	pair = []string{"SPY", "AGG"}
	five = []string{"SPY", "EFA", "AGG", "VNQ", "GLD"}
	ten  = []string{"SPY", "QQQ", "IWM", "EFA", "EEM", "AGG", "TLT", "LQD", "VNQ", "GLD"}
)

// Strategies returns the compared models.
func Strategies() []Strategy {
	balanced := target{"SPY": 0.6, "AGG": 0.4}
	return []Strategy{
		{Name: "60/40 monthly", Members: pair, Decide: "monthly", Weights: balanced},
		{Name: "60/40 quarterly", Members: pair, Decide: "quarterly", Weights: balanced},
		{Name: "60/40 monthly, next close", Members: pair, Decide: "monthly", Late: true, Weights: balanced},
		{Name: "60/40 bought and held", Members: pair, Decide: "once", Weights: balanced,
			body: `if ctx.last_decision != None:
        return None
    return {"SPY": 0.6, "AGG": 0.4}`},
		{Name: "60/40 in a band of a tenth", Members: pair, Decide: "band", Weights: balanced, Band: 0.1,
			schedule: "daily", imports: "drifted",
			body: `target = {"SPY": 0.6, "AGG": 0.4}
    return target if drifted(ctx.weights, target, 0.1, relative=True) else None`},
		{Name: "equal weights of 5", Members: five, Decide: "monthly", imports: "equal_weight", body: "return equal_weight(ctx.universe)"},
		{Name: "equal weights of 10", Members: ten, Decide: "monthly", imports: "equal_weight", body: "return equal_weight(ctx.universe)"},
		{Name: "90/60, leveraged", Members: pair, Decide: "monthly", Weights: target{"SPY": 0.9, "AGG": 0.6}},
		{Name: "long SPY, short EFA", Members: []string{"SPY", "EFA"}, Decide: "monthly", Weights: target{"SPY": 1, "EFA": -0.5}},
		{Name: "momentum, the best 3 of 10", Members: ten, Decide: "given", imports: "momentum, top, equal_weight",
			body: `if any([ctx.sessions(s) < 253 for s in ctx.universe]):
        return None
    return equal_weight(top({s: momentum(ctx.prices(s, 253)) for s in ctx.universe}, 3))`},
		{Name: "risk parity of 5", Members: five, Decide: "given", imports: "risk_parity",
			body: `if any([ctx.sessions(s) < 253 for s in ctx.universe]):
        return None
    return risk_parity(ctx.panel(ctx.universe, 252))`},
	}
}

// script returns the strategy as a script with the given symbol.
func (s Strategy) script(symbol string) string {
	fill, schedule := "close", s.Decide
	if s.Late {
		fill = "next_close"
	}
	switch {
	case s.schedule != "":
		schedule = s.schedule
	case s.Decide == "once", s.Decide == "given":
		schedule = "monthly"
	}
	imports := ""
	if s.imports != "" {
		imports = "from harness import " + s.imports + "\n\n"
	}
	body := s.body
	if body == "" {
		body = "return " + literal(s.Weights)
	}
	return fmt.Sprintf(`%sNAME = "Peer %s"
SYMBOL = "%s"
SCHEDULE = "%s"
FILL = "%s"

INPUTS = {"universe": {"type": "array", "default": %s}}


def decide(ctx):
    %s
`, imports, strings.NewReplacer(",", "", "/", " ").Replace(s.Name), symbol, schedule, fill, literal(s.Members), body)
}

// literal writes a list or dictionary of symbols, whose JSON is a Python literal.
func literal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // symbols and finite numbers
	}
	return string(text)
}
