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
// series, with lags given as NAME=SESSIONS, and what their values are as NAME=KIND.
func readSeries(paths, lags, kinds []string) (localSeries, error) {
	kindOf, err := readKinds(kinds)
	if err != nil {
		return nil, err
	}
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
		kind := kindOf[series.Fold(name)]
		delete(kindOf, series.Fold(name))
		post := series.Post{Name: name, Kind: kind, Frequency: table.Frequency, Unit: series.Fraction, Lag: &lag, Dates: table.Dates, Keys: table.Keys, Columns: table.Columns}
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
	for name := range kindOf {
		return nil, usage("--kind %s: there is no --series of this name", name)
	}
	return all, nil
}

// readKinds reads what the values of series are, by name in upper case.
func readKinds(texts []string) (map[string]series.Kind, error) {
	kinds := map[string]series.Kind{}
	for _, text := range texts {
		name, kind, _ := strings.Cut(text, "=")
		if k := series.Kind(kind); name == "" || k != series.Return && k != series.Rate && k != series.Index {
			return nil, usage("--kind %s: write it as NAME=KIND, return, rate or index", text)
		}
		kinds[series.Fold(name)] = series.Kind(kind)
	}
	return kinds, nil
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
		placed, err := p.Kind.Outside(v, frame.Axis)
		if err != nil {
			return fmt.Errorf("%w; --kind says what its values are: --kind %s=index", err, v.Of.Name)
		}
		frame.Outside = append(frame.Outside, placed)
	}
	return nil
}
