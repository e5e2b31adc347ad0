package simulation

import (
	"fmt"

	"ballast/internal/number"
	"ballast/script"
	"ballast/simulate"
	"ballast/timeseries"
)

// answerOf returns what a simulation has found as tables, scalars and figures.
func answerOf(p *simulate.Plan, r *simulate.Result) *script.Answer {
	bands := append(append([]script.Column{steps(0, len(r.Bands))}, bandColumns(r.Bands, "")...), bandColumns(r.RealBands, "_real")...)
	bands = append(bands, script.Column{Name: "alive", Numbers: r.Alive})
	spending := append(append([]script.Column{steps(1, len(r.Spending))}, bandColumns(r.Spending, "")...), bandColumns(r.RealSpending, "_real")...)
	return &script.Answer{
		Tables: []script.Table{
			{Name: "bands", Columns: bands},
			{Name: "spending", Columns: spending},
			outcomesTable(p, r),
			ratesTable(r),
			samplesTable(r),
		},
		Scalars: scalars(p, r),
		Figures: figures(p),
		Drawn:   drawnFrom(p),
	}
}

// drawnFrom describes where a plan's futures come from.
func drawnFrom(p *simulate.Plan) *script.Drawn {
	return &script.Drawn{Seed: p.Seed, Method: string(p.Source), First: p.Months.Base, Last: p.Months.Ends[p.Months.Len()-1]}
}

// steps is the column of months, from first.
func steps(first, n int) script.Column {
	c := script.Column{Name: "step", Numbers: make([]float64, n)}
	for i := range c.Numbers {
		c.Numbers[i] = float64(first + i)
	}
	return c
}

// bandColumns are the quantiles and the mean of bands.
func bandColumns(bands []simulate.Band, suffix string) []script.Column {
	columns := make([]script.Column, len(simulate.Levels)+1)
	for i := range columns {
		name := "mean"
		if i < len(simulate.Levels) {
			name = levelName(simulate.Levels[i])
		}
		columns[i] = script.Column{Name: name + suffix, Numbers: make([]float64, len(bands))}
		for t := range bands {
			if i < len(simulate.Levels) {
				columns[i].Numbers[t] = bands[t].Quantiles[i]
			} else {
				columns[i].Numbers[t] = bands[t].Mean
			}
		}
	}
	return columns
}

func outcomesTable(p *simulate.Plan, r *simulate.Result) script.Table {
	n := len(r.Outcomes)
	column := func(name string, of func(*simulate.Outcome) float64) script.Column {
		c := script.Column{Name: name, Numbers: make([]float64, n)}
		for i := range c.Numbers {
			c.Numbers[i] = of(&r.Outcomes[i])
		}
		return c
	}
	t := script.Table{Name: "outcomes", Columns: []script.Column{
		column("path", func(o *simulate.Outcome) float64 { return float64(o.Path) }),
		column("final", func(o *simulate.Outcome) float64 { return o.Final }),
		column("final_real", func(o *simulate.Outcome) float64 { return o.FinalReal }),
		column("depleted_step", func(o *simulate.Outcome) float64 {
			if o.Depleted == 0 {
				return missing
			}
			return float64(o.Depleted)
		}),
		column("spent", func(o *simulate.Outcome) float64 { return o.Spent }),
		column("lowest_spent", func(o *simulate.Outcome) float64 { return o.LowestSpent }),
		column("max_drawdown", func(o *simulate.Outcome) float64 { return o.MaxDrawdown }),
	}}
	if p.Source == simulate.History {
		starts := script.Column{Name: "start", Dates: make([]timeseries.Date, n)}
		for i := range starts.Dates {
			starts.Dates[i] = r.Outcomes[i].Start
		}
		t.Columns = append(t.Columns, starts)
	}
	return t
}

func ratesTable(r *simulate.Result) script.Table {
	columns := []script.Column{{Name: "rate"}, {Name: "success"}, {Name: "low"}, {Name: "high"}, {Name: "shortfall"}}
	for _, p := range r.Rates {
		for i, v := range []float64{p.Rate, p.Success, p.Low, p.High, p.Shortfall} {
			columns[i].Numbers = append(columns[i].Numbers, v)
		}
	}
	return script.Table{Name: "rates", Columns: columns}
}

func samplesTable(r *simulate.Result) script.Table {
	columns := []script.Column{{Name: "path"}, {Name: "step"}, {Name: "value"}}
	for path, values := range r.SamplePaths {
		for step, v := range values {
			columns[0].Numbers = append(columns[0].Numbers, float64(path))
			columns[1].Numbers = append(columns[1].Numbers, float64(step))
			columns[2].Numbers = append(columns[2].Numbers, v)
		}
	}
	return script.Table{Name: "sample_paths", Columns: columns}
}

// pathAnswer returns one path whole.
func pathAnswer(p *simulate.Plan, months []simulate.PathMonth) *script.Answer {
	columns := []script.Column{{Name: "step"}, {Name: "value"}, {Name: "real_value"}, {Name: "withdrawn"}}
	for step, m := range months {
		withdrawn := m.Withdrawn
		if step == 0 {
			withdrawn = missing // nothing is paid before the first month
		}
		for i, v := range []float64{float64(step), m.Value, m.RealValue, withdrawn} {
			columns[i].Numbers = append(columns[i].Numbers, v)
		}
	}
	return &script.Answer{
		Tables:  []script.Table{{Name: "path", Columns: columns}},
		Figures: []script.Figure{{Name: "path", Title: "Value of one path", Kind: "line", Table: "path", X: "step", Y: []string{"value", "real_value"}, XUnit: inMonths, YUnit: inMoney}},
		Drawn:   drawnFrom(p),
	}
}

func scalars(p *simulate.Plan, r *simulate.Result) []script.Scalar {
	list := []script.Scalar{}
	add := func(name string, v float64, unit, title string) {
		list = append(list, script.Scalar{Name: name, Value: number.Float(v), Unit: unit, Title: title})
	}
	add("success", r.Success, inFractions, "Paths that pay everything")
	add("success_low", r.Low, inFractions, "Lower end of its 95 % interval")
	add("success_high", r.High, inFractions, "Upper end of its 95 % interval")
	add("shortfall_years", r.Shortfall, "years", "Years missing when a path fails, mean")
	add("safe_rate", r.SafeRate, inYearly, "Safe withdrawal rate")
	add("perpetual_rate", r.PerpetualRate, inYearly, "Withdrawal rate that keeps the real value")
	add("median_final", r.MedianFinal, inMoney, "Median value at the end")
	add("median_final_real", r.MedianReal, inMoney, "Median value at the end"+RealMoney)
	add("block_stationary", r.Lengths.Stationary, inMonths, "Best mean block length, stationary")
	add("block_circular", r.Lengths.Circular, inMonths, "Best block length, circular")
	add("independent_windows", r.Windows, "windows", "Independent windows of the plan's length in the data")
	add("months", float64(r.Months), inMonths, "Months of data")
	if p.Months.Inflation != nil {
		add("inflation", p.Months.MeanInflation(), inYearly, "Mean inflation of the data")
	}
	return list
}

// Units of figures and scalars.
const (
	inMoney     = "usd"
	inFractions = "fraction"
	inYearly    = "fraction a year"
	inMonths    = "months"
)

// RealMoney ends the titles of figures in prices of the start. The table of such a figure
// has the same columns in money of the day, named without RealSuffix.
const (
	RealMoney  = ", in prices of the start"
	RealSuffix = "_real"
)

// figures are the plots of a simulation.
func figures(p *simulate.Plan) []script.Figure {
	var quantiles []string
	for _, level := range simulate.Levels {
		quantiles = append(quantiles, levelName(level)+RealSuffix)
	}
	list := []script.Figure{
		{Name: "fan", Title: "Value by month" + RealMoney, Kind: "band", Table: "bands", X: "step", Y: quantiles, XUnit: inMonths, YUnit: inMoney},
		{Name: "alive", Title: "Paths that have paid everything so far", Kind: "line", Table: "bands", X: "step", Y: []string{"alive"}, XUnit: inMonths, YUnit: inFractions},
		{Name: "spending", Title: "Spending by month" + RealMoney, Kind: "band", Table: "spending", X: "step", Y: quantiles, XUnit: inMonths, YUnit: inMoney},
		{Name: "final", Title: "Value at the end" + RealMoney, Kind: "histogram", Table: "outcomes", X: "final" + RealSuffix, Y: []string{}, XUnit: inMoney},
		{Name: "rates", Title: "Chance of lasting by withdrawal rate", Kind: "line", Table: "rates", X: "rate", Y: []string{"success", "low", "high"}, XUnit: inYearly, YUnit: inFractions},
	}
	if p.Source == simulate.History {
		list = append(list, script.Figure{Name: "starts", Title: "Value at the end by past start" + RealMoney, Kind: "line", Table: "outcomes", X: "start", Y: []string{"final" + RealSuffix}, YUnit: inMoney})
	}
	return list
}

// levelName is the column of a quantile.
func levelName(level float64) string { return fmt.Sprintf("p%.0f", 100*level) }
