package console

import (
	"context"
	"fmt"
	"math"
	"strings"

	"golang.org/x/sync/errgroup"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

// sparkline is the growth of a model without axes, in the coordinates of its box.
type sparkline struct {
	Points string
	Text   string // what the line shows, for readers who do not see it
}

// Size of the box of a sparkline, and the most points that it draws.
const (
	sparkWidth  = 120
	sparkHeight = 28
	sparkPoints = 60
)

// linesAtOnce is how many histories one page reads at the same time.
const linesAtOnce = 4

// drawLines adds to each row the growth of its model. A model that has been deleted since
// it was listed, or has no result, has no line.
func (c *Console) drawLines(ctx context.Context, accountID string, models []*program.Sheet, rows []modelRow) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(linesAtOnce)
	for i, m := range models {
		if m.Live == nil {
			continue
		}
		group.Go(func() error {
			h, err := c.Histories.History(ctx, accountID, m.ID, history.Query{Returns: true, Full: true, Start: timeseries.NoDate, End: timeseries.NoDate})
			switch t := fault.TypeOf(err); {
			case err == nil:
				rows[i].Line = sparklineOf(h)
			case t != fault.NotFound && t != fault.NoHistory:
				return err
			}
			return nil
		})
	}
	return group.Wait()
}

// sparklineOf draws the growth of 1, on a logarithmic scale so that equal steps are equal
// returns. It returns nil if there is nothing to draw.
func sparklineOf(h *history.History) *sparkline {
	if len(h.Returns) < 2 {
		return nil
	}
	heights, height := make([]float64, len(h.Returns)+1), 0.0
	low, high := 0.0, 0.0
	for i, v := range h.Returns {
		height += math.Log1p(v)
		if math.IsNaN(height) || math.IsInf(height, 0) { // everything is lost: the rest of the line has no place
			heights = heights[:i+1]
			break
		}
		heights[i+1] = height
		low, high = min(low, height), max(high, height)
	}
	if len(heights) < 2 || high == low {
		return nil
	}
	n := min(sparkPoints, len(heights))
	var points strings.Builder
	for k := range n {
		at := k * (len(heights) - 1) / (n - 1)
		fmt.Fprintf(&points, "%.1f,%.1f ", float64(k)*sparkWidth/float64(n-1), 1+(sparkHeight-2)*(high-heights[at])/(high-low))
	}
	return &sparkline{
		Points: strings.TrimSpace(points.String()),
		Text:   fmt.Sprintf("Growth of 1 to %.2f from %s to %s", math.Exp(heights[len(heights)-1]), h.Base, h.Dates[len(h.Dates)-1]),
	}
}
