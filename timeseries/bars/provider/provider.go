package provider

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"ballast/timeseries"
)

// Provider returns the daily bars of one symbol at a time.
type Provider interface {
	// Name returns its name in the configuration, in metrics and in stored loads.
	Name() string
	// Bars requests the bars of a symbol. Its errors are *Error, of kind Unknown if
	// the provider does not have the symbol at all.
	Bars(ctx context.Context, r Request) (*Answer, error)
}

// Request specifies which bars are wanted.
type Request struct {
	Symbol string          // as the catalog writes it, upper case
	Coin   bool            // the symbol is a cryptocurrency pair, BASE-QUOTE
	From   timeseries.Date // the first bar wanted; NoDate for the whole history. The answer may begin earlier
}

// Answer is a provider's answer: bars, or a file with bars.
type Answer struct {
	Bars []Bar // in ascending order; empty if there are none since From
	// File is a file for the importer; "" if Bars holds the answer.
	File string
	// Rounding is the step to which adjusted closes are rounded; 0 means not rounded.
	Rounding float64
}

// Bar is one day of a symbol. Numbers that the provider does not supply are NaN;
// every bar has a close, an adjusted close or both.
type Bar struct {
	Date     timeseries.Date
	Close    float64 // in currency, as traded
	Adjusted float64 // close adjusted for splits and dividends
	Dividend float64 // per share, in currency, on the ex date
	Split    float64 // new shares per old share, 1 if there is no split
}

// Config configures a provider that uses HTTP. Zero values mean the provider's defaults.
type Config struct {
	Key       string        // secret; required by some services
	URL       string        // "" means the service's own
	PerMinute float64       // requests per minute
	Timeout   time.Duration // of one attempt
	Tries     int           // of one request
	FirstWait time.Duration // before the second try; later ones wait longer
	MaxBytes  int64         // largest answer
	Metrics   *Metrics      // nil counts nothing
	Logger    *slog.Logger  // nil logs nothing
	Transport http.RoundTripper
	Now       func() time.Time
}
