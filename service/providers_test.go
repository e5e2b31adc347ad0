package service

import (
	"log/slog"
	"strings"
	"testing"
)

func TestProviderSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		name  string
		set   func(*ProvidersConfig)
		names string
		wrong string // part of the error
	}{
		{name: "none", set: func(*ProvidersConfig) {}},
		{name: "in order", set: func(c *ProvidersConfig) {
			c.Names, c.TiingoKey, c.Folder = []string{"stooq", "tiingo", "folder"}, "k", dir
			c.Rates, c.URLs = map[string]string{"tiingo": "600"}, map[string]string{"stooq": "http://127.0.0.1:1"}
		}, names: "stooq tiingo folder"},
		{name: "another", set: func(c *ProvidersConfig) { c.Names = []string{"yahoo"} }, wrong: `provider "yahoo": accepted are tiingo`},
		{name: "twice", set: func(c *ProvidersConfig) { c.Names = []string{"stooq", "stooq"} }, wrong: "named twice"},
		{name: "no key", set: func(c *ProvidersConfig) { c.Names = []string{"eodhd"} }, wrong: "--eodhd-key"},
		{name: "no folder", set: func(c *ProvidersConfig) { c.Names = []string{"folder"} }, wrong: "--provider-folder"},
		{name: "no number", set: func(c *ProvidersConfig) { c.Rates = map[string]string{"tiingo": "many"} }, wrong: "provider-rate tiingo=many"},
		{name: "rate of another", set: func(c *ProvidersConfig) { c.Rates = map[string]string{"yahoo": "1"} }, wrong: "provider-rate yahoo=1"},
		{name: "address of another", set: func(c *ProvidersConfig) { c.URLs = map[string]string{"yahoo": "http://x"} }, wrong: `"yahoo"`},
		{name: "no address", set: func(c *ProvidersConfig) {
			c.Names, c.URLs = []string{"stooq"}, map[string]string{"stooq": "stooq.com"}
		}, wrong: "is not an http or https URL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := Default().Providers
			test.set(&c)
			list, err := c.open(slog.New(slog.DiscardHandler), nil)
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) {
					t.Error(err)
				}
				return
			}
			var names []string
			for _, p := range list {
				names = append(names, p.Name())
			}
			if err != nil || strings.Join(names, " ") != test.names {
				t.Errorf("%v, %v", names, err)
			}
		})
	}
}
