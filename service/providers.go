package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"ballast/program"
	"ballast/program/execution"
	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/provider/alphavantage"
	"ballast/timeseries/bars/provider/eodhd"
	"ballast/timeseries/bars/provider/folder"
	"ballast/timeseries/bars/provider/stooq"
	"ballast/timeseries/bars/provider/tiingo"
	"ballast/timeseries/bars/syncing"
)

// ProviderNames are the values of --provider.
var ProviderNames = []string{tiingo.Name, eodhd.Name, alphavantage.Name, stooq.Name, folder.Name}

// open creates the configured providers, in order.
func (c ProvidersConfig) open(log *slog.Logger, metrics *provider.Metrics) ([]provider.Provider, error) {
	rates, err := c.rates()
	if err != nil {
		return nil, err
	}
	for name := range c.URLs {
		if !slices.Contains(ProviderNames, name) {
			return nil, invalid("provider-url of %q: accepted are %s", name, strings.Join(ProviderNames, ", "))
		}
	}
	list := make([]provider.Provider, 0, len(c.Names))
	for _, name := range c.Names {
		if slices.ContainsFunc(list, func(p provider.Provider) bool { return p.Name() == name }) {
			return nil, invalid("provider %s is named twice", name)
		}
		settings := provider.Config{URL: c.URLs[name], PerMinute: rates[name], Timeout: c.Timeout, Metrics: metrics, Logger: log}
		var p provider.Provider
		var err error
		switch name {
		case tiingo.Name:
			settings.Key = c.TiingoKey
			p, err = tiingo.New(settings)
		case eodhd.Name:
			settings.Key = c.EODHDKey
			p, err = eodhd.New(settings)
		case alphavantage.Name:
			settings.Key = c.AlphaVantageKey
			p, err = alphavantage.New(settings)
		case stooq.Name:
			settings.Key = c.StooqKey
			p, err = stooq.New(settings)
		case folder.Name:
			p, err = folder.New(c.Folder)
		default:
			err = invalid("provider %q: accepted are %s", name, strings.Join(ProviderNames, ", "))
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func (c ProvidersConfig) rates() (map[string]float64, error) {
	rates := make(map[string]float64, len(c.Rates))
	for name, text := range c.Rates {
		perMinute, err := strconv.ParseFloat(text, 64)
		if err != nil || !(perMinute > 0 && perMinute <= 60_000) || !slices.Contains(ProviderNames, name) {
			return nil, invalid("provider-rate %s=%s: accepted are %s, with requests per minute above 0", name, text, strings.Join(ProviderNames, ", "))
		}
		rates[name] = perMinute
	}
	return rates, nil
}

// NewLoader creates the loader of bars from the configured providers. It is never
// nil; without providers it loads nothing.
func NewLoader(c Config, s *Storage, log *slog.Logger, metrics prometheus.Registerer) (*syncing.Syncer, error) {
	providers, err := c.Providers.open(log, provider.NewMetrics(metrics))
	if err != nil {
		return nil, err
	}
	nightly := program.Nightly{Delay: c.Refresh.Delay}
	return syncing.New(syncing.Config{
		Providers: providers, Store: s.DB, Reader: s.Bars, Importer: s.Importer, TempDir: s.Temporary,
		Session: nightly.Session,
		Restated: func(ctx context.Context, assetID string) error {
			found, err := s.DB.RefreshHolders(ctx, assetID, nightly.Session(time.Now()))
			if err == nil && found.Due > 0 {
				log.InfoContext(ctx, "models follow a restated asset", "asset_id", assetID, "due", found.Due, "waiting", found.Waiting)
			}
			return err
		},
		Registerer: metrics, Logger: log,
	}), nil
}

// loads returns the loader, or nil if no providers are configured; missing bars are
// then reported as missing.
func loads(c Config, loader *syncing.Syncer) execution.Loads {
	if len(c.Providers.Names) == 0 {
		return nil
	}
	return loader
}

// loadHeld loads new bars of the assets held by models that refresh automatically.
// The error names what could not be loaded for now.
func loadHeld(ctx context.Context, s *Storage, loader *syncing.Syncer) error {
	held, err := s.DB.HeldAssets(ctx)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var failed []string
	var message string
	var g errgroup.Group
	g.SetLimit(heldAtOnce)
	for _, a := range held {
		if !loader.Behind(a, timeseries.NoDate) {
			continue
		}
		g.Go(func() error {
			r := loader.Load(ctx, a)
			if r.Status == syncing.Broken || r.Status == syncing.Loading {
				mu.Lock()
				defer mu.Unlock()
				failed, message = append(failed, a.Symbol), r.Message
			}
			return nil
		})
	}
	_ = g.Wait() // failures are in failed
	if len(failed) == 0 {
		return nil
	}
	sort.Strings(failed)
	if len(failed) > shownSymbols {
		failed = append(failed[:shownSymbols], "…")
	}
	return fmt.Errorf("the bars of %s could not be loaded: %w", strings.Join(failed, ", "), errors.New(message))
}

const (
	heldAtOnce   = 8
	shownSymbols = 10
)
