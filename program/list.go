package program

import (
	"context"

	"ballast/timeseries"
)

// ModelFilter selects models of a list and puts them in order.
type ModelFilter struct {
	Kind     string // of the programs; models where ""
	Status   Status // "" any
	Favorite *bool
	Labels   []string         // any of them, case ignored
	Bounds   []FigureBound    // all hold; a model without the figure is left out
	Since    *timeseries.Date // the first return of the live run is on or before it; nil for any
	Sort     ModelSort
	Figures  bool // the sheets have the figures of their live runs
	Limit    int
	Offset   int
}

// FigureBound is a range of one figure of metrics.FigureNames.
type FigureBound struct {
	Figure      string
	Least, Most *float64 // inclusive; nil for none
}

// ModelSort is the order of a list. The zero value is the newest first. Models
// without the figure, or whose figure is not defined, come last either way; those
// that are the same follow with the newest first, so that pages never overlap.
type ModelSort struct {
	By         string // SortCreated, SortName or one of metrics.FigureNames
	Descending bool
}

// What lists are sorted by besides figures.
const (
	SortCreated = "created_at"
	SortName    = "name"
)

// ModelGroup is the models of a list that have a label.
type ModelGroup struct {
	Label   string // as one of them writes it; "" for models without labels
	Models  int
	Figures []FigureSpread // in the order in which they were asked for
}

// FigureSpread is how a figure is spread over a group, NaN where no model of it has
// the figure.
type FigureSpread struct {
	Lowest, Median, Highest float64
}

// MostGroups is how many groups a list is put into, those with the most models.
const MostGroups = 200

// Models lists the caller's models, with the total before paging.
func (s *Models) Models(ctx context.Context, accountID string, f ModelFilter) ([]*Sheet, int, error) {
	f.Kind = s.kind.Name
	return s.members.Models(ctx, accountID, f)
}

// Groups puts the models that a filter selects into groups by label, whatever the
// page, those with the most models first. A model is in the group of each of its
// labels. Labels that differ in case alone are one.
func (s *Models) Groups(ctx context.Context, accountID string, f ModelFilter, figures []string) ([]ModelGroup, error) {
	f.Kind = s.kind.Name
	return s.store.ModelGroups(ctx, accountID, f, figures)
}
