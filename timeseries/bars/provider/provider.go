package provider

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"ballast/timeseries"
)

// Provider gives daily bars of one symbol at a time.
type Provider interface {
	// Name is what configuration, metrics and stored loads call it.
	Name() string
	// Bars asks for the bars of a symbol. *Error; Unknown where the provider does
	// not have the symbol at all.
	Bars(ctx context.Context, r Request) (*Answer, error)
}

// Request says which bars are asked for.
type Request struct {
	Symbol string          // as the catalog writes it, upper case
	Coin   bool            // the symbol is a pair of a crypto currency, BASE-QUOTE
	From   timeseries.Date // the first bar wanted; NoDate for the whole history. More may come
}

// Answer is what a provider has: bars, or a file that has them.
type Answer struct {
	Bars []Bar // dates ascend; none where nothing came since From
	// File is a file that bars.Importer reads; "" where Bars hold the answer.
	File string
	// Rounding is the step to which adjusted closes are rounded, 0 where they are not.
	Rounding float64
}

// Bar is one day of a symbol. Numbers that the provider does not give are NaN;
// a bar has a close or an adjusted close at least.
type Bar struct {
	Date     timeseries.Date
	Close    float64 // in currency, as traded
	Adjusted float64 // for splits and dividends
	Dividend float64 // a share, in currency, on the ex date
	Split    float64 // new shares for one old, 1 without a split
}

// Config is what a provider over HTTP is made of. Zero values are each
// provider's own.
type Config struct {
	Key       string        // secret; where the service needs one
	URL       string        // the service's own address where ""
	PerMinute float64       // requests a minute
	Timeout   time.Duration // of one try
	Tries     int           // of one request
	FirstWait time.Duration // before the second try; later ones wait longer
	MaxBytes  int64         // that an answer may have
	Metrics   *Metrics      // nil counts nothing
	Logger    *slog.Logger  // nil logs nothing
	Transport http.RoundTripper
	Now       func() time.Time
}
