package analysis

import (
	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/script"
	"ballast/script/harness"
	"ballast/timeseries"
)

// Kind is the kind of scripts that analyze.
var Kind = &script.Kind{
	Name: harness.Analysis, EntryPoint: "analyze", Purpose: "carries out the analysis", Context: contextList, Methods: methods,
	Inputs: inputs(), Adjustable: true, Series: earned, Unexported: []string{"frontier"}, Sweeps: []string{"sweep", "walk_forward"}, Holdings: []string{"attribution", "contributions", "ledger", "report", "stress", "weights"}, Refuse: refuse,
}

// The inputs of every analysis.
const (
	startDateInput = "start_date"
	endDateInput   = "end_date"
	seriesInput    = "series"
)

// inputs are those that a script has without declaring them.
func inputs() []script.Property {
	date := func(name, title, description string) script.Property {
		return script.Property{Service: true, Name: name, Type: "string", Format: "date", Title: title, Description: description}
	}
	return []script.Property{
		date(startDateInput, "Start date", "Returns before it are left out. Empty means from the first one."),
		{Service: true, Name: seriesInput, Type: "array", Format: "series", Default: []any{}, Title: "Series", Description: "Columns of series from outside that the analysis reads beside its members, each as NAME.KEY, such as FF5.SMB."},
		date(endDateInput, "End date", "Returns after it are left out. Empty means up to the last one."),
	}
}

// dates returns the first and the last date of an analysis; NoDate does not limit.
func dates(in script.Inputs) (first, last timeseries.Date) {
	return dateOf(in.Text(startDateInput)), dateOf(in.Text(endDateInput))
}

func dateOf(text string) timeseries.Date {
	d, err := timeseries.ParseDate(text)
	if err != nil { // bound inputs are dates or empty
		return timeseries.NoDate
	}
	return d
}

// refuse returns which inputs do not fit each other.
func refuse(in script.Inputs) []fault.Detail {
	first, last := dates(in)
	if first == timeseries.NoDate || last == timeseries.NoDate || first <= last {
		return nil
	}
	return []fault.Detail{{
		Field: "inputs." + endDateInput, Message: "is " + last.String() + ", before start_date, " + first.String(),
		Accepted: []string{"a date from " + first.String() + " on"},
	}}
}

// earned returns a column of a series as the returns of its days or months.
func earned(v *series.Values) (*series.Values, error) { return v.Earned(), nil }
