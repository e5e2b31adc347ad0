package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/service"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/syncing"
)

// loadSymbols loads whole histories from the configured providers, one symbol after
// the other, and prints the result for each. It returns false if nothing was loaded
// for one of them.
func loadSymbols(ctx context.Context, c service.Config, s *service.Storage, symbols []string, out, errs io.Writer) (ok bool, err error) {
	log, err := service.NewLogger(c.Log, errs)
	if err != nil {
		return false, err
	}
	loader, err := service.NewLoader(c, s, log, prometheus.NewRegistry())
	if err != nil {
		return false, err
	}
	defer loader.Close()
	m := newMeter(errs, "loading")
	ok = true
	for i, symbol := range symbols {
		symbol = strings.ToUpper(strings.TrimSpace(symbol))
		m.setCount(int64(i), int64(len(symbols)), symbol)
		line, loaded, err := loadSymbol(ctx, s, loader, symbol)
		if err != nil {
			m.end(err)
			return false, err
		}
		m.print(func() { fmt.Fprintf(out, "%s: %s\n", symbol, line) })
		ok = ok && loaded
	}
	m.end(nil)
	return ok, nil
}

func loadSymbol(ctx context.Context, s *service.Storage, loader *syncing.Syncer, symbol string) (line string, ok bool, err error) {
	found, err := s.DB.AssetsBySymbol(ctx, []string{symbol})
	if err != nil {
		return "", false, err
	}
	introduced := false
	if found[symbol] == nil {
		err := loader.Introduce(ctx, symbol)
		var trouble *provider.Error
		if errors.As(err, &trouble) {
			return trouble.Error(), false, nil
		}
		if err != nil {
			return "", false, err
		}
		introduced = true
		if found, err = s.DB.AssetsBySymbol(ctx, []string{symbol}); err != nil {
			return "", false, err
		}
		if found[symbol] == nil {
			return "the provider's file holds other symbols", false, nil
		}
	}
	result := loader.Replace(ctx, found[symbol].Loading())
	if found, err = s.DB.AssetsBySymbol(ctx, []string{symbol}); err != nil || found[symbol] == nil {
		return "", false, err
	}
	a := found[symbol]
	switch {
	case result.Status == syncing.Loaded || introduced:
		return fmt.Sprintf("bars from %s to %s", a.FirstPriceDate, a.LastPriceDate), true, nil
	case result.Status == syncing.Current:
		return fmt.Sprintf("nothing new, bars from %s to %s", a.FirstPriceDate, a.LastPriceDate), true, nil
	}
	return result.Message, false, nil
}
