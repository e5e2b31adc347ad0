package api

import (
	"context"
	"errors"
	"strconv"

	"ballast/catalog/series"
	"ballast/internal/fault"
)

// riskless reads the parameter risk_free, whose form checkQuery has accepted: an annual
// fraction, or a column of a series that the caller may read.
func (s *Server) riskless(ctx context.Context, text string) (series.Riskless, error) {
	if annual, err := strconv.ParseFloat(text, 64); err == nil {
		return series.Riskless{Annual: annual}, nil
	}
	column, err := s.SeriesColumns.Column(ctx, accountOf(ctx), text)
	var f *fault.Error
	if errors.As(err, &f) {
		for i := range f.Details {
			f.Details[i].Location = "query.risk_free"
		}
	}
	return series.Riskless{Series: column}, err
}
