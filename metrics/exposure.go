package metrics

import "ballast/internal/number"

// Exposure summarises gross exposure, Σ|weight| without cash, over the dates.
type Exposure struct {
	Mean number.Float `json:"mean"`
	Max  number.Float `json:"max"`
}

func exposure(gross []float64) Exposure {
	most, _ := bestWorst(gross)
	return Exposure{Mean: number.Float(mean(gross)), Max: number.Float(most)}
}

// TimeInMarket is the fraction of dates that close with any exposure. It is NaN without
// dates.
func TimeInMarket(gross []float64) float64 { return share(gross, 0) }
