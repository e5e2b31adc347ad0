package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestProviderSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		name  string
		set   func(*Config)
		names string
		wrong string // part of the error
	}{
		{name: "none", set: func(*Config) {}},
		{name: "in order", set: func(c *Config) {
			c.Providers, c.TiingoKey, c.ProviderFolder = []string{"stooq", "tiingo", "folder"}, "k", dir
			c.ProviderRates, c.ProviderURLs = map[string]string{"tiingo": "600"}, map[string]string{"stooq": "http://127.0.0.1:1"}
		}, names: "stooq tiingo folder"},
		{name: "another", set: func(c *Config) { c.Providers = []string{"yahoo"} }, wrong: `provider "yahoo": accepted are tiingo`},
		{name: "twice", set: func(c *Config) { c.Providers = []string{"stooq", "stooq"} }, wrong: "named twice"},
		{name: "no key", set: func(c *Config) { c.Providers = []string{"eodhd"} }, wrong: "--eodhd-key"},
		{name: "no folder", set: func(c *Config) { c.Providers = []string{"folder"} }, wrong: "--provider-folder"},
		{name: "no number", set: func(c *Config) { c.ProviderRates = map[string]string{"tiingo": "many"} }, wrong: "provider-rate tiingo=many"},
		{name: "rate of another", set: func(c *Config) { c.ProviderRates = map[string]string{"yahoo": "1"} }, wrong: "provider-rate yahoo=1"},
		{name: "address of another", set: func(c *Config) { c.ProviderURLs = map[string]string{"yahoo": "http://x"} }, wrong: `"yahoo"`},
		{name: "no address", set: func(c *Config) {
			c.Providers, c.ProviderURLs = []string{"stooq"}, map[string]string{"stooq": "stooq.com"}
		}, wrong: "no http or https URL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := defaultConfig()
			test.set(&c)
			list, err := newProviders(c, discardLogger(), nil)
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

func TestListsOfTheConfigurationFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ballast.yaml")
	text := "provider: [tiingo, stooq]\nprovider-rate: {tiingo: 30, stooq: 2.5}\nprovider-url: tiingo=http://a\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	root := rootCommand()
	var c Config
	probe := &cobra.Command{Use: "probe", RunE: func(*cobra.Command, []string) error { return nil }}
	providerFlags(probe.Flags(), &c)
	root.AddCommand(probe)
	root.SetArgs([]string{"probe", "--config", path})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	want := Config{
		Providers:    []string{"tiingo", "stooq"},
		ProviderURLs: map[string]string{"tiingo": "http://a"}, ProviderRates: map[string]string{"tiingo": "30", "stooq": "2.5"},
	}
	if d := cmp.Diff(want.Providers, c.Providers) + cmp.Diff(want.ProviderRates, c.ProviderRates) + cmp.Diff(want.ProviderURLs, c.ProviderURLs); d != "" {
		t.Error(d)
	}
}
