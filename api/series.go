package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"ballast/api/transport"
	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/internal/nearest"
)

// SeriesParameter names a series.
type SeriesParameter struct {
	Series string `path:"series" minLength:"1" doc:"Name in any case, or id"`
}

type postSeriesInput struct {
	Body struct {
		Name      string        `json:"name" minLength:"1" maxLength:"40" doc:"A letter, then letters, digits, _ and -; upper and lower case do not matter. A column is read as NAME.KEY" example:"FF5"`
		Frequency string        `json:"frequency,omitempty" enum:"daily,monthly" doc:"daily for a new series, if left out. A monthly date means its month"`
		Unit      string        `json:"unit,omitempty" enum:"fraction,percent" default:"fraction" doc:"Unit of the values in this request. They are stored as fractions"`
		Kind      string        `json:"kind,omitempty" enum:"return,rate,index" doc:"return: earned over the day or month; rate: an annual rate; index: a level above 0. return for a new series, if left out"`
		Lag       *int          `json:"lag,omitempty" minimum:"0" maximum:"260" doc:"Publication lag: sessions from a value's date until it is known; 0 for a new series, if left out. It is stored; metrics, which look back, do not apply it"`
		Columns   seriesColumns `json:"columns" doc:"date, and one array of numbers per key, as long as date; null is a missing value"`
	} `nameHint:"SeriesPost"`
}

type getSeriesInput struct {
	SeriesParameter
	Keys      []string `query:"keys" maxItems:"200" doc:"Columns to return, in any case; all if left out"`
	StartDate string   `query:"start_date" format:"date" doc:"First date, inclusive"`
	EndDate   string   `query:"end_date" format:"date" doc:"Last date, inclusive"`
}

type seriesOutput struct {
	Status int
	Body   SeriesBody
}

type seriesPageOutput struct{ Body pageBody[SeriesBody] }

type seriesValuesOutput struct{ Body *seriesValuesBody }

func (s *Server) registerSeries() {
	register(s, route{
		method: http.MethodPost, path: "/v1/series", id: "post-series", tag: tagAssets, status: http.StatusCreated,
		summary: "Add a series, or values to it",
		description: "Stores a series from outside, such as factors, inflation, a riskless rate or an index. If the account has a series of that name, values on new dates and of new keys are added, and values that differ are restated; null leaves what is stored. " +
			"Each change makes a version, which metrics name when they use it. A request that changes nothing makes no version. The series of an account are its own.",
		faults: []fault.Type{fault.SymbolTaken}, also: map[int]string{http.StatusOK: "The series existed"},
	}, s.postSeries)
	register(s, route{
		method: http.MethodGet, path: "/v1/series", id: "list-series", tag: tagAssets, status: http.StatusOK,
		summary: "List series", description: "Lists your series and those that the operator provides for all accounts, by name, without values.",
	}, s.listSeries)
	register(s, route{
		method: http.MethodGet, path: "/v1/series/{series}", id: "get-series", tag: tagAssets, status: http.StatusOK,
		summary:     "Read a series",
		description: "Returns a series with its values, as fractions. As Arrow, Parquet or CSV the values are one table: date, and one column per key.",
		faults:      []fault.Type{fault.NotFound}, others: transport.Tables,
	}, s.getSeries)
	register(s, route{
		method: http.MethodDelete, path: "/v1/series/{series}", id: "delete-series", tag: tagAssets, status: http.StatusOK,
		summary:     "Delete a series",
		description: "Deletes one of your series. Models, simulations and analyses whose live result was computed from it are paused and keep that result. As soon as there is a series of this name again they are active again, and those with auto_update are refreshed.",
		faults:      []fault.Type{fault.NotFound},
	}, s.deleteSeries)
}

func (s *Server) postSeries(ctx context.Context, in *postSeriesInput) (*seriesOutput, error) {
	c := in.Body.Columns
	if c.problem != nil {
		return nil, c.problem
	}
	put, created, err := s.Series.Put(ctx, accountOf(ctx), series.Post{
		Name: in.Body.Name, Frequency: series.Frequency(in.Body.Frequency), Unit: series.Unit(in.Body.Unit), Kind: series.Kind(in.Body.Kind),
		Lag: in.Body.Lag, Dates: c.dates, Keys: c.keys, Columns: c.values,
	})
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return &seriesOutput{status, seriesBodyOf(put)}, nil
}

func (s *Server) listSeries(ctx context.Context, in *PageParameters) (*seriesPageOutput, error) {
	list, total, err := s.Series.Series(ctx, accountOf(ctx), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &seriesPageOutput{pageOf(list, total, seriesBodyOf)}, nil
}

func (s *Server) getSeries(ctx context.Context, in *getSeriesInput) (*seriesValuesOutput, error) {
	start, end := dateOf(in.StartDate), dateOf(in.EndDate)
	if err := ordered(start, end); err != nil {
		return nil, err
	}
	found, err := s.Series.Find(ctx, accountOf(ctx), in.Series)
	if err != nil {
		return nil, err
	}
	table, err := s.Series.SeriesTable(ctx, found.ID, found.Version)
	if err != nil {
		return nil, err
	}
	columns, err := seriesKeys(found, table, in.Keys)
	if err != nil {
		return nil, err
	}
	return &seriesValuesOutput{&seriesValuesBody{seriesBodyOf(found), seriesColumnsBody{table.Cut(start, end, columns)}}}, nil
}

// seriesKeys returns the positions of columns, nil for all of them.
func seriesKeys(of *series.Series, table *series.Table, keys []string) ([]int, error) {
	var columns []int
	for _, key := range keys {
		i := table.Column(key)
		if i < 0 {
			return nil, fault.New(fault.InvalidParameter, "The series %s has no column %q.", of.Name, key).
				With(fault.Detail{Location: "query.keys", Message: fmt.Sprintf("%q is not a column of the series", key), Accepted: table.Keys, Suggestion: nearest.Match(key, table.Keys)})
		}
		if slices.Contains(columns, i) {
			return nil, fault.New(fault.InvalidParameter, "The column %q is asked for twice.", key).
				With(fault.Detail{Location: "query.keys", Message: fmt.Sprintf("%q is repeated", strings.ToUpper(key))})
		}
		columns = append(columns, i)
	}
	return columns, nil
}

func (s *Server) deleteSeries(ctx context.Context, in *SeriesParameter) (*deletedOutput, error) {
	seriesID, err := s.Series.Delete(ctx, accountOf(ctx), in.Series)
	if err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: seriesID, Deleted: true}}, nil
}
