package main

import (
	"fmt"
	"math"
)

// readHistory holds the fields of a model's history that tests read. null becomes nil.
type readHistory struct {
	Window     struct{ Base, Start, End string }
	Dates      []string
	Returns    []*float64
	Allocation struct {
		Weights    map[string][]*float64
		Rebalances []struct{ Date, Decided, Reason string }
	}
	Metrics struct {
		TotalReturn *float64 `json:"total_return"`
		CAGR        *float64
		Volatility  *float64 `json:"annual_volatility"`
		Sharpe      *float64
		MaxDrawdown struct {
			Value        *float64
			Peak, Valley string
		} `json:"max_drawdown"`
	}
}

// whole reports what is missing in a history or does not add up.
func (h *readHistory) whole() error {
	if len(h.Dates) == 0 || len(h.Returns) != len(h.Dates) {
		return fmt.Errorf("%d dates, %d returns", len(h.Dates), len(h.Returns))
	}
	growth := 1.0
	for i, r := range h.Returns {
		if r == nil {
			return fmt.Errorf("no return on %s", h.Dates[i])
		}
		growth *= 1 + *r
	}
	for name, v := range map[string]*float64{
		"total_return": h.Metrics.TotalReturn, "cagr": h.Metrics.CAGR, "annual_volatility": h.Metrics.Volatility,
		"sharpe": h.Metrics.Sharpe, "max_drawdown": h.Metrics.MaxDrawdown.Value,
	} {
		if v == nil {
			return fmt.Errorf("%s is not a number", name)
		}
	}
	if math.Abs(growth-1-*h.Metrics.TotalReturn) > 1e-9 {
		return fmt.Errorf("the returns compound to %v, the total return is %v", growth-1, *h.Metrics.TotalReturn)
	}
	return h.addsUp(1e-9)
}

// addsUp checks that the weights of each date add up to 1.
func (h *readHistory) addsUp(within float64) error {
	if len(h.Allocation.Weights["CASH"]) != len(h.Dates) {
		return fmt.Errorf("%d weights of CASH on %d dates", len(h.Allocation.Weights["CASH"]), len(h.Dates))
	}
	for i, date := range h.Dates {
		sum := 0.0
		for key, weights := range h.Allocation.Weights {
			if i >= len(weights) || weights[i] == nil {
				return fmt.Errorf("no weight of %s on %s", key, date)
			}
			sum += *weights[i]
		}
		if math.Abs(sum-1) > within {
			return fmt.Errorf("the weights of %s add up to %v", date, sum)
		}
	}
	return nil
}
