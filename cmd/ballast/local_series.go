package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ballast/catalog/series"
	"ballast/catalog/series/files"
	"ballast/internal/nearest"
	"ballast/script"
	"ballast/timeseries"
)

// localSeries are the columns of series that a run's files have, by NAME.KEY in upper
// case.
type localSeries map[string]*series.Values

// readSeries reads files given as NAME=FILE, or as FILE if they are called as the
// series, with lags given as NAME=SESSIONS.
func readSeries(paths, lags []string) (localSeries, error) {
	lagOf := map[string]int{}
	for _, text := range lags {
		name, number, _ := strings.Cut(text, "=")
		n, err := strconv.Atoi(number)
		if name == "" || err != nil || n < 0 || n > series.MostLag {
			return nil, usage("--lag %s: write it as NAME=SESSIONS, from 0 to %d", text, series.MostLag)
		}
		lagOf[series.Fold(name)] = n
	}
	all := localSeries{}
	for _, text := range paths {
		name, path, named := strings.Cut(text, "=")
		if !named {
			path = text
			name, _, _ = strings.Cut(filepath.Base(path), ".")
		}
		table, err := files.Open(path)
		if err != nil {
			return nil, err
		}
		lag := lagOf[series.Fold(name)]
		delete(lagOf, series.Fold(name))
		post := series.Post{Name: name, Frequency: table.Frequency, Unit: series.Fraction, Lag: &lag, Dates: table.Dates, Keys: table.Keys, Columns: table.Columns}
		if table.Layout == files.French {
			post.Unit = series.Percent
		}
		columns, err := post.Local()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		maps.Copy(all, columns)
	}
	for name := range lagOf {
		return nil, usage("--lag %s: there is no --series of this name", name)
	}
	return all, nil
}

// ResolveSeries tells the checks of a script which columns the files have.
func (s localSeries) ResolveSeries(references []string) map[string]script.Unresolved {
	missing := map[string]script.Unresolved{}
	known := slices.Sorted(maps.Keys(s))
	for _, r := range references {
		if s[r] == nil {
			missing[r] = script.Unresolved{Message: s.lacks(r), Suggestion: nearest.Match(r, known)}
		}
	}
	return missing
}

func (s localSeries) lacks(reference string) string {
	name, _, _ := series.Reference(reference)
	if len(s) == 0 {
		return fmt.Sprintf("the script reads the series %s: give its file with --series %s=FILE", name, name)
	}
	return fmt.Sprintf("the script reads %s, but the files of series have %s: give the file with --series %s=FILE", reference, strings.Join(slices.Sorted(maps.Keys(s)), ", "), name)
}

// place puts the columns that a script reads on its frame.
func (s localSeries) place(p *script.Script, inputs script.Inputs, frame *timeseries.Frame) error {
	for _, r := range p.Series(inputs) {
		v := s[r]
		if v == nil {
			return usage("%s", s.lacks(r))
		}
		known := v.Dates
		if p.Kind.Trades {
			known = v.Known()
		}
		frame.Outside = append(frame.Outside, timeseries.NewOutside(r, frame.Axis, known, v.Dates, v.Values))
	}
	return nil
}
