package api

import (
	"ballast/timeseries"
)

// PageParameters page a list.
type PageParameters struct {
	Limit  int `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"Number of rows to return"`
	Offset int `query:"offset" minimum:"0" default:"0" doc:"Number of rows to skip"`
}

// pageBody is a page of a list.
type pageBody[T any] struct {
	Data  []T `json:"data"`
	Total int `json:"total" doc:"Rows before paging"`
}

func pageOf[D, T any](rows []D, total int, body func(D) T) pageBody[T] {
	data := make([]T, len(rows))
	for i, r := range rows {
		data[i] = body(r)
	}
	return pageBody[T]{Data: data, Total: total}
}

// ModelParameter names a model.
type ModelParameter struct {
	Model string `path:"model" minLength:"1" doc:"Id, slug, symbol or exact name" example:"sixty-forty-0192f3a4b5"`
}

// dateOf parses a date parameter that checkQuery has accepted. It returns NoDate if
// the parameter was left out.
func dateOf(s string) timeseries.Date {
	if s == "" {
		return timeseries.NoDate
	}
	d, err := timeseries.ParseDate(s)
	if err != nil {
		return timeseries.NoDate
	}
	return d
}

// textOrNull returns nil for the empty string.
func textOrNull[S ~string](s S) *string {
	if s == "" {
		return nil
	}
	text := string(s)
	return &text
}

// dateOrNull returns nil for NoDate.
func dateOrNull(d timeseries.Date) *timeseries.Date {
	if d == timeseries.NoDate {
		return nil
	}
	return &d
}

// listed returns x, or an empty list if x is nil.
func listed[T any](x []T) []T {
	if x == nil {
		return []T{}
	}
	return x
}

// mapped returns m, or an empty map if m is nil.
func mapped[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}
