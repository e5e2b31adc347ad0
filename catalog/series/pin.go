package series

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ballast/internal/nearest"
	"ballast/timeseries"
)

// Pin is one column of one version of a series, without its values.
type Pin struct {
	Of  *Series
	Key string
}

// Name returns how the column is referred to: NAME.KEY.
func (p Pin) Name() string { return p.Of.Name + "." + p.Key }

// Column describes the column.
func (p Pin) Column() Column {
	for _, c := range p.Of.Columns {
		if c.Key == p.Key {
			return c
		}
	}
	return Column{Key: p.Key, First: timeseries.NoDate, Last: timeseries.NoDate}
}

// Read is what a run has read of a series. It is stored with the run.
type Read struct {
	SeriesID string
	Version  int
	Keys     []string
}

// Reads groups pins by series, in order of their first use.
func Reads(pins []Pin) []Read {
	var reads []Read
	for _, p := range pins {
		i := slices.IndexFunc(reads, func(r Read) bool { return r.SeriesID == p.Of.ID })
		if i < 0 {
			i = len(reads)
			reads = append(reads, Read{SeriesID: p.Of.ID, Version: p.Of.Version})
		}
		if !slices.Contains(reads[i].Keys, p.Key) {
			reads[i].Keys = append(reads[i].Keys, p.Key)
		}
	}
	return reads
}

// Finder finds columns of series and reads their values.
type Finder struct{ Reader }

// Pins finds columns by their references, NAME.KEY in any case, in the current versions
// of their series, in the order of the references. An unknown one is
// fault.UnknownMember, which names the nearest.
func (s Finder) Pins(ctx context.Context, accountID string, references []string) ([]Pin, error) {
	names := make([]string, len(references))
	for i, r := range references {
		name, _, ok := Reference(r)
		if !ok {
			return nil, unknown(r, "%q does not name a column of a series, which is NAME.KEY, such as FF5.SMB.", "", r)
		}
		names[i] = Fold(name)
	}
	found, err := s.SeriesByName(ctx, accountID, names)
	if err != nil {
		return nil, err
	}
	pins := make([]Pin, len(references))
	for i, r := range references {
		of := found[names[i]]
		if of == nil {
			return nil, s.missing(ctx, accountID, r)
		}
		if pins[i], err = of.pin(r); err != nil {
			return nil, err
		}
	}
	return pins, nil
}

// missing says that a reference names no series that the account may read, and which
// there are.
func (s Finder) missing(ctx context.Context, accountID, reference string) error {
	all, _, err := s.Series(ctx, accountID, MostSeries, 0)
	if err != nil {
		return err
	}
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = one.Name
	}
	name, _, _ := Reference(reference)
	near := nearest.Match(name, names)
	there := "There are none yet: add one with POST /v1/series."
	if len(names) > 0 {
		there = fmt.Sprintf("You may read %s. Add it with POST /v1/series.", listed(names))
	}
	return unknown(reference, "There is no series %s.%s %s", near, name, didYouMean(near), there)
}

// pin finds the column that a reference names.
func (s *Series) pin(reference string) (Pin, error) {
	_, key, _ := Reference(reference)
	keys := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		if keys[i] = c.Key; strings.EqualFold(c.Key, key) {
			return Pin{Of: s, Key: c.Key}, nil
		}
	}
	near := nearest.Match(key, keys)
	return Pin{}, unknown(reference, "The series %s has no column %s.%s Its columns are %s.", near, s.Name, key, didYouMean(near), listed(keys))
}

// Repin returns the pins of what a run has read, also of series that were deleted since,
// by name.
func (s Finder) Repin(ctx context.Context, reads []Read) ([]Pin, error) {
	var pins []Pin
	for _, r := range reads {
		of, err := s.SeriesVersion(ctx, r.SeriesID, r.Version)
		if err != nil {
			return nil, err
		}
		for _, key := range r.Keys {
			pins = append(pins, Pin{Of: of, Key: key})
		}
	}
	slices.SortFunc(pins, func(a, b Pin) int { return cmp.Compare(Fold(a.Name()), Fold(b.Name())) })
	return pins, nil
}

// Load reads the values of pinned columns, each series once.
func (s Finder) Load(ctx context.Context, pins []Pin) ([]*Values, error) {
	tables := map[string]*Table{}
	columns := make([]*Values, len(pins))
	for i, p := range pins {
		t := tables[p.Of.ID]
		if t == nil {
			var err error
			if t, err = s.SeriesTable(ctx, p.Of.ID, p.Of.Version); err != nil {
				return nil, err
			}
			tables[p.Of.ID] = t
		}
		v := &Values{Of: p.Of, Key: p.Key}
		v.Dates, v.Values = t.values(t.Column(p.Key))
		columns[i] = v
	}
	return columns, nil
}

// Column reads one column of a series by its reference, NAME.KEY, in any case, in its
// current version. An unknown one is fault.UnknownMember, which names the nearest.
func (s Finder) Column(ctx context.Context, accountID, reference string) (*Values, error) {
	found, err := s.Columns(ctx, accountID, []string{reference})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Columns reads several columns, in the order of their references.
func (s Finder) Columns(ctx context.Context, accountID string, references []string) ([]*Values, error) {
	pins, err := s.Pins(ctx, accountID, references)
	if err != nil {
		return nil, err
	}
	return s.Load(ctx, pins)
}
