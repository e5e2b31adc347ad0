package backtest

import "ballast/timeseries"

// Causality is the evidence that a result does not depend on the future: the run
// repeated on bars that end at decision sessions.
type Causality struct {
	Causal     bool        `json:"causal" doc:"Every repetition gave the same rows up to its cut"`
	Cuts       []Cut       `json:"cuts" doc:"The repetitions, by date"`
	Difference *Difference `json:"difference,omitempty" doc:"The first row that differs, where one does"`
}

// Cut is one repetition.
type Cut struct {
	Date timeseries.Date `json:"date" doc:"The decision session after which there were no bars"`
	Rows int             `json:"rows" doc:"Rows compared, the base included"`
}

// Difference is a value that changed when the future was taken away.
type Difference struct {
	Cut    timeseries.Date `json:"cut"`
	Date   timeseries.Date `json:"date" doc:"Of the row that differs"`
	Column string          `json:"column" doc:"Such as return, weight, contribution, custom, trade"`
	Symbol string          `json:"symbol,omitempty" doc:"The member, or the name of the series"`
	Whole  float64         `json:"whole" doc:"With all bars"`
	Past   float64         `json:"past" doc:"With the bars up to the cut"`
}
