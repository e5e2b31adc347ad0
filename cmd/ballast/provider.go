package main

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
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"ballast/program"
	"ballast/program/execution"
	"ballast/timeseries"
	"ballast/timeseries/bars/loading"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/provider/alphavantage"
	"ballast/timeseries/bars/provider/eodhd"
	"ballast/timeseries/bars/provider/folder"
	"ballast/timeseries/bars/provider/stooq"
	"ballast/timeseries/bars/provider/tiingo"
)

// providerNames are what --provider accepts.
var providerNames = []string{tiingo.Name, eodhd.Name, alphavantage.Name, stooq.Name, folder.Name}

// providerFlags say where bars come from that are not imported.
func providerFlags(f *pflag.FlagSet, c *Config) {
	f.StringSliceVar(&c.Providers, "provider", c.Providers, "where bars come from, in the order in which they are asked: "+strings.Join(providerNames, ", "))
	f.StringVar(&c.TiingoKey, "tiingo-key", c.TiingoKey, "key of Tiingo; better in BALLAST_TIINGO_KEY than on the command line, like the others")
	f.StringVar(&c.EODHDKey, "eodhd-key", c.EODHDKey, "key of EODHD")
	f.StringVar(&c.AlphaVantageKey, "alphavantage-key", c.AlphaVantageKey, "key of Alpha Vantage")
	f.StringVar(&c.StooqKey, "stooq-key", c.StooqKey, "key of Stooq, which asks some machines for one")
	f.StringVar(&c.ProviderFolder, "provider-folder", c.ProviderFolder, "folder of the provider folder, with files SYMBOL.csv, SYMBOL.csv.gz or SYMBOL.parquet")
	f.StringToStringVar(&c.ProviderURLs, "provider-url", c.ProviderURLs, "another address of a provider, tiingo=http://…")
	f.StringToStringVar(&c.ProviderRates, "provider-rate", c.ProviderRates, "requests a minute to a provider, tiingo=60")
	f.DurationVar(&c.ProviderTimeout, "provider-timeout", c.ProviderTimeout, "time that one answer of a provider may take")
}

// newProviders makes the configured providers, in order.
func newProviders(c Config, log *slog.Logger, metrics *provider.Metrics) ([]provider.Provider, error) {
	rates, err := providerRates(c)
	if err != nil {
		return nil, err
	}
	for name := range c.ProviderURLs {
		if !slices.Contains(providerNames, name) {
			return nil, usage("provider-url of %q: accepted are %s", name, strings.Join(providerNames, ", "))
		}
	}
	list := make([]provider.Provider, 0, len(c.Providers))
	for _, name := range c.Providers {
		if slices.ContainsFunc(list, func(p provider.Provider) bool { return p.Name() == name }) {
			return nil, usage("provider %s is named twice", name)
		}
		settings := provider.Config{URL: c.ProviderURLs[name], PerMinute: rates[name], Timeout: c.ProviderTimeout, Metrics: metrics, Logger: log}
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
			p, err = folder.New(c.ProviderFolder)
		default:
			err = usage("provider %q: accepted are %s", name, strings.Join(providerNames, ", "))
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func providerRates(c Config) (map[string]float64, error) {
	rates := make(map[string]float64, len(c.ProviderRates))
	for name, text := range c.ProviderRates {
		perMinute, err := strconv.ParseFloat(text, 64)
		if err != nil || !(perMinute > 0 && perMinute <= 60_000) || !slices.Contains(providerNames, name) {
			return nil, usage("provider-rate %s=%s: accepted are %s, and requests a minute above 0", name, text, strings.Join(providerNames, ", "))
		}
		rates[name] = perMinute
	}
	return rates, nil
}

// newLoader makes what loads bars from the configured providers. It is never nil:
// without providers it loads nothing.
func newLoader(c Config, s *storage, log *slog.Logger, metrics prometheus.Registerer) (*loading.Loader, error) {
	providers, err := newProviders(c, log, provider.NewMetrics(metrics))
	if err != nil {
		return nil, err
	}
	nightly := program.Nightly{Delay: c.RefreshDelay}
	return loading.New(loading.Config{
		Providers: providers, Store: s.db, Reader: s.bars, Importer: s.importer, TempDir: s.temporary,
		Session: nightly.Session,
		Restated: func(ctx context.Context, assetID string) error {
			found, err := s.db.RefreshHolders(ctx, assetID, nightly.Session(time.Now()))
			if err == nil && found.Due > 0 {
				log.InfoContext(ctx, "models follow a restated asset", "asset_id", assetID, "due", found.Due, "waiting", found.Waiting)
			}
			return err
		},
		Registerer: metrics, Logger: log,
	}), nil
}

// loads is the loader where there are providers to ask, nil without: then what
// is missing is said to be missing.
func loads(c Config, loader *loading.Loader) execution.Loads {
	if len(c.Providers) == 0 {
		return nil
	}
	return loader
}

// loadHeld brings in new bars of the assets that models hold which refresh
// themselves. The error names what could not be loaded for now.
func loadHeld(ctx context.Context, s *storage, loader *loading.Loader) error {
	held, err := s.db.HeldAssets(ctx)
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
			if r.Status == loading.Broken || r.Status == loading.Loading {
				mu.Lock()
				defer mu.Unlock()
				failed, message = append(failed, a.Symbol), r.Message
			}
			return nil
		})
	}
	_ = g.Wait() // what went wrong is counted
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
