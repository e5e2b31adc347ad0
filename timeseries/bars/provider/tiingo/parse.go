package tiingo

import (
	"bytes"
	"math"
	"time"

	"ballast/timeseries/bars/provider"
)

const hour = time.Hour

// day is one element of the answer of /tiingo/daily/<ticker>/prices, with the fields that
// bars need.
type day struct {
	Date        string   `json:"date"`
	Close       *float64 `json:"close"`
	AdjClose    *float64 `json:"adjClose"`
	DivCash     *float64 `json:"divCash"`
	SplitFactor *float64 `json:"splitFactor"`
}

// parseDaily reads an answer of /tiingo/daily/<ticker>/prices.
func parseDaily(body []byte) ([]provider.Bar, error) {
	var days []day
	if err := list(body, &days); err != nil {
		return nil, err
	}
	bars := make([]provider.Bar, len(days))
	for i, d := range days {
		date, err := dateOf(d.Date)
		if err != nil {
			return nil, err
		}
		bars[i] = provider.Bar{
			Date: date, Close: provider.Number(d.Close), Adjusted: provider.Number(d.AdjClose),
			Dividend: provider.Number(d.DivCash), Split: provider.Number(d.SplitFactor),
		}
	}
	return bars, nil
}

// parseCoins reads an answer of /tiingo/crypto/prices about one ticker.
func parseCoins(body []byte) ([]provider.Bar, error) {
	var coins []struct {
		PriceData []day `json:"priceData"`
	}
	if err := list(body, &coins); err != nil || len(coins) == 0 {
		return nil, err
	}
	bars := make([]provider.Bar, len(coins[0].PriceData))
	for i, d := range coins[0].PriceData {
		date, err := dateOf(d.Date)
		if err != nil {
			return nil, err
		}
		price := provider.Number(d.Close)
		bars[i] = provider.Bar{Date: date, Close: price, Adjusted: price, Dividend: math.NaN(), Split: math.NaN()}
	}
	return bars, nil
}

// list decodes an array, or returns an error with what came in its place.
func list(body []byte, into any) error {
	text := bytes.TrimSpace(body)
	switch {
	case bytes.HasPrefix(text, []byte("{")):
		var said struct {
			Detail string `json:"detail"`
		}
		if err := provider.JSON(body, &said); err != nil {
			return err
		}
		return serviceError(said.Detail)
	case bytes.HasPrefix(text, []byte("Error")):
		return serviceError(string(text))
	}
	return provider.JSON(body, into)
}
