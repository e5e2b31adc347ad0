package program

import (
	"context"

	"ballast/timeseries"
)

// ModelFilter selects the models of a list and sorts them.
type ModelFilter struct {
	Kind     string // kind of the programs; "": models
	Status   Status // "": any
	Favorite *bool
	Labels   []string         // any of them, case ignored
	Bounds   []FigureBound    // all must hold; models without the figure are left out
	Since    *timeseries.Date // the live run's first return is on or before it; nil: any
	Sort     ModelSort
	Figures  bool // whether the sheets have the figures of their live runs
	Limit    int
	Offset   int
}

// FigureBound is a range of one figure of metrics.FigureNames.
type FigureBound struct {
	Figure      string
	Least, Most *float64 // inclusive; nil: no bound
}

// ModelSort is the order of a list. The zero value sorts newest first. Models without
// the figure, or whose figure is undefined, come last in either direction. Models with
// equal figures are sorted newest first, so that pages never overlap.
type ModelSort struct {
	By         string // SortCreated, SortName or one of metrics.FigureNames
	Descending bool
}

// Sort keys of lists in addition to figures.
const (
	SortCreated = "created_at"
	SortName    = "name"
)

// ModelGroup describes the models of a list that have the same label.
type ModelGroup struct {
	Label   string // as one of them writes it; "" for models without labels
	Models  int
	Figures []FigureSpread // in the order of the request
}

// FigureSpread is the spread of a figure over a group; NaN if none of its models has the
// figure.
type FigureSpread struct {
	Lowest, Median, Highest float64
}

// MostGroups limits the groups of a list; those with the most models are kept.
const MostGroups = 200

// Models lists the caller's models, and returns their total before paging.
func (s *Models) Models(ctx context.Context, accountID string, f ModelFilter) ([]*Sheet, int, error) {
	f.Kind = s.kind.Name
	return s.members.Models(ctx, accountID, f)
}

// Groups groups all models that a filter selects, regardless of paging, by label. Groups
// with the most models come first. A model is in the group of each of its labels. Labels
// that differ only in case are the same.
func (s *Models) Groups(ctx context.Context, accountID string, f ModelFilter, figures []string) ([]ModelGroup, error) {
	f.Kind = s.kind.Name
	return s.store.ModelGroups(ctx, accountID, f, figures)
}
