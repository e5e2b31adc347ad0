package simulation

import (
	"fmt"
	"slices"
	"strings"

	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/script"
	"ballast/script/harness"
	"ballast/simulate"
)

// Kind is the kind of scripts that simulate.
var Kind = &script.Kind{
	Name: harness.Simulation, EntryPoint: "simulate", Purpose: "decides what is withdrawn", Context: contextList, Methods: methods,
	Inputs: inputs(), Adjustable: true, Refuse: refuse, Series: (*series.Values).Inflation,
	Words: []script.Word{{Name: stepConstant, Accepted: []string{"yearly", "quarterly", "monthly"}}},
}

const stepConstant = "STEP"

// stepMonths are the months between two decisions.
var stepMonths = map[string]int{"yearly": 12, "quarterly": 3, "monthly": 1}

// The inputs of every simulation.
const (
	weightsInput    = "weights"
	rebalanceInput  = "rebalance"
	startValueInput = "start_value"
	yearsInput      = "years"
	pathsInput      = "paths"
	seedInput       = "seed"
	sourceInput     = "source"
	blockInput      = "block"
	inflationInput  = "inflation"
	feeInput        = "fee"
	sinceInput      = "since"
)

// inputs are those that a script has without declaring them.
func inputs() []script.Property {
	number := func(name, title, unit string, value, least, most float64, description string) script.Property {
		return script.Property{Service: true, Name: name, Type: "number", Title: title, Unit: unit, Default: value, Minimum: &least, Maximum: &most, Description: description}
	}
	integer := func(name, title string, value int64, least, most float64, description string) script.Property {
		return script.Property{Service: true, Name: name, Type: "integer", Title: title, Default: value, Minimum: &least, Maximum: &most, Description: description}
	}
	return []script.Property{
		{Service: true, Name: weightsInput, Type: "array", Title: "Weights", Description: "One number for each member of the universe, in the same order; what they leave is cash without interest. Without weights, all members have the same."},
		{Service: true, Name: rebalanceInput, Type: "string", Title: "Rebalance", Default: string(simulate.Monthly), Enum: texts(simulate.Rebalances), Description: "How often the members are brought back to their weights."},
		number(startValueInput, "Start value", "usd", 1_000_000, 0, 1e15, "The money at the start."),
		integer(yearsInput, "Years", 30, 1, simulate.MaxYears, "The length of the plan."),
		integer(pathsInput, "Paths", 10_000, simulate.MinPaths, simulate.MaxPaths, "The number of simulated futures. With the source history there is one for each past start instead."),
		integer(seedInput, "Seed", 1, 0, 1<<53, "Determines the random numbers. More paths keep the earlier ones."),
		{Service: true, Name: sourceInput, Type: "string", Title: "Source of returns", Default: string(simulate.Stationary), Enum: texts(simulate.Sources), Description: "stationary: blocks of history of random lengths. circular: blocks of one length. independent: single months. normal and student_t: distributions fitted to the months. history: every past start as it was."},
		number(blockInput, "Mean block", "months", 12, 0, 1200, "The mean length of a block of history; 0 for the best length of the data."),
		orSeries(number(inflationInput, "Inflation", "per year", 0.025, -0.4, 1, "The yearly rise of prices, a fraction; or a column of a monthly series, such as CPI.ALL, whose inflation is drawn together with the members' returns.")),
		number(feeInput, "Fee", "per year", 0, 0, 1, "A yearly fraction of the value, taken each month."),
		integer(sinceInput, "First year of data", 0, 0, 9999, "Months before this calendar year are left out; 0 uses all months."),
	}
}

// orSeries lets an input be a column of a series instead of a number.
func orSeries(p script.Property) script.Property {
	p.Format = "series"
	return p
}

func texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// refuse returns which inputs do not fit each other.
func refuse(in script.Inputs) []fault.Detail {
	var details []fault.Detail
	members := len(in.Universe())
	weights, numbers := in.Numbers(weightsInput)
	switch {
	case !numbers:
		details = append(details, fault.Detail{Field: "inputs." + weightsInput, Message: "has an element that is not a number", Accepted: []string{"an array of numbers"}})
	case weights != nil && len(weights) != members:
		details = append(details, fault.Detail{
			Field: "inputs." + weightsInput, Message: fmt.Sprintf("has %d numbers, and universe has %d members", len(weights), members),
			Accepted: []string{fmt.Sprintf("%d numbers, in the order of %s", members, listed(in.Universe()))},
		})
	}
	if in.Text(sourceInput) == string(simulate.History) {
		return details
	}
	years, paths := int(in.Number(yearsInput)), int(in.Number(pathsInput))
	if steps := 12 * years * paths; steps > simulate.MaxSteps {
		details = append(details, fault.Detail{
			Field: "inputs." + pathsInput, Message: fmt.Sprintf("is %d: %d paths of %d months are %d steps, and at most %d are computed", paths, paths, 12*years, steps, simulate.MaxSteps),
			Accepted: []string{fmt.Sprintf("up to %d paths with %d years", simulate.MaxSteps/(12*years), years), fmt.Sprintf("up to %d years with %d paths", simulate.MaxSteps/(12*paths), paths)},
		})
	}
	return details
}

// listed joins a few names.
func listed(names []string) string {
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// planOf reads the inputs of a run. members are those of the frame, in the order of
// the universe.
func planOf(p *script.Script, in script.Inputs, months *simulate.Months) *simulate.Plan {
	weights, _ := in.Numbers(weightsInput)
	if weights == nil {
		weights = slices.Repeat([]float64{1 / float64(len(months.Keys))}, len(months.Keys))
	}
	return &simulate.Plan{
		Months: months, Weights: weights, Rebalance: simulate.Rebalance(in.Text(rebalanceInput)), StartValue: in.Number(startValueInput),
		Years: int(in.Number(yearsInput)), Paths: int(in.Number(pathsInput)), Seed: uint64(in.Number(seedInput)),
		Source: simulate.Source(in.Text(sourceInput)), Block: in.Number(blockInput), Inflation: in.Number(inflationInput), Fee: in.Number(feeInput),
		StepMonths: stepMonths[p.Words[stepConstant]], Glides: p.Mentions["weights"], Remembers: p.Reads["returns"],
	}
}
