package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"ballast/catalog/classify"
)

// labelledFile holds the listings that were labelled by hand, from the project's root.
const labelledFile = "catalog/classify/testdata/labelled.csv"

// leastPrecision is the least precision of every classified field, in percent.
const leastPrecision = 97

// classification measures how much of what the catalog derives about listings is
// right, field by field, against labels made by hand, and how fast it classifies.
func classification(e *Env) Row {
	row := Row{
		Name: "classification: precision and recall a field", Key: "Classification",
		Bar: fmt.Sprintf("precision ≥ %d %% in every field", leastPrecision),
		Measure: func(ctx context.Context) (Result, error) {
			labelled, err := readLabelled(labelledFile)
			if errors.Is(err, fs.ErrNotExist) {
				return Result{Skipped: "run from the project's root, which has " + labelledFile}, nil
			}
			if err != nil {
				return Result{}, err
			}
			return measureClassification(ctx, labelled, e.count(20, 1))
		},
	}
	for _, field := range classify.MeasuredFields() {
		row.Limits = append(row.Limits, Limit{Figure: field + " precision", Least: leastPrecision})
	}
	return row
}

func readLabelled(path string) ([]classify.Labelled, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return classify.ReadLabelled(f)
}

func measureClassification(ctx context.Context, labelled []classify.Labelled, times int) (Result, error) {
	var r Result
	for _, a := range classify.Measure(labelled, classify.Classify) {
		r.Figures = append(r.Figures,
			Figure{a.Field + " precision", 100 * a.Precision(), "%"},
			Figure{a.Field + " recall", 100 * a.Recall(), "%"})
	}
	s, err := repeat(ctx, times, func() error {
		for i := range labelled {
			classify.Classify(labelled[i].Listing)
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	perSecond := float64(len(labelled)) / max(s.median(), time.Nanosecond).Seconds()
	r.Figures = append(r.Figures, Figure{"one core", perSecond, "listings/s"})
	r.Note = fmt.Sprintf("%d listings labelled by hand; leverage and hedged where they are not 1 and false", len(labelled))
	return r, nil
}
