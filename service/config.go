package service

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"
)

// Config holds everything that can be configured, in the groups of the command line's
// help.
type Config struct {
	Storage   StorageConfig
	Log       LogConfig
	Billing   BillingConfig
	HTTP      HTTPConfig
	Limits    LimitsConfig
	Signin    SigninConfig
	Workers   WorkersConfig
	Sandbox   SandboxConfig
	Query     QueryConfig
	Generator GeneratorConfig
	Refresh   RefreshConfig
	Providers ProvidersConfig
	Webhooks  WebhooksConfig
	Mail      MailConfig
	Operation OperationConfig
}

// Default is the configuration of a service whose operator sets nothing.
func Default() Config {
	return Config{
		Storage:   StorageConfig{DataDir: "data", Migrate: true, CacheMiB: 64, DuckDBMemoryMiB: 512},
		Log:       LogConfig{Level: "info", Format: "auto"},
		HTTP:      HTTPConfig{Listen: "127.0.0.1:8080"},
		Limits:    LimitsConfig{Rate: 200, Burst: 1000, AddressRate: 400, AddressBurst: 2000, RefusedAMinute: 60, AtOnce: 128, DailyRuns: 500},
		Signin:    SigninConfig{SessionIdle: 24 * time.Hour, SessionMost: 30 * 24 * time.Hour, Provision: provisionOff},
		Workers:   WorkersConfig{Runs: 6, Sandboxes: 2}, // more runs than sandboxes: a run mostly waits for disk and database
		Sandbox:   SandboxConfig{Guards: guardsAvailable, Deadline: time.Minute, MemoryMiB: 1024},
		Query:     QueryConfig{MemoryMiB: 512, SpillMiB: 1024, Timeout: 30 * time.Second, Rows: 1_000_000, AtOnce: 2},
		Generator: GeneratorConfig{Name: grammarAlone, Timeout: 2 * time.Minute},
		Refresh:   RefreshConfig{Enabled: true, Delay: 3 * time.Hour},
		Providers: ProvidersConfig{Timeout: 20 * time.Second},
		Operation: OperationConfig{ShutdownGrace: 30 * time.Second, SweepGrace: time.Hour},
	}
}

// Flags are settings that a command takes as a group.
type Flags interface {
	bind(f *pflag.FlagSet)
	title() string // heading in the command's help
}

// Bind adds the flags of the groups to a command. The groups receive the values, and
// their current values are the defaults.
func Bind(f *pflag.FlagSet, groups ...Flags) {
	for _, g := range groups {
		own := pflag.NewFlagSet("", pflag.ContinueOnError)
		g.bind(own)
		own.VisitAll(func(flag *pflag.Flag) { flag.Annotations = map[string][]string{groupAnnotation: {g.title()}} })
		f.AddFlagSet(own)
	}
}

const groupAnnotation = "ballast_group"

// Groups returns the titles of all groups, in the order in which help lists them.
func Groups() []string {
	var titles []string
	for _, g := range new(Config).ForService() {
		if !slices.Contains(titles, g.title()) {
			titles = append(titles, g.title())
		}
	}
	return titles
}

// Group returns the title of the group that a flag was bound with, or "".
func Group(f *pflag.Flag) string {
	if title := f.Annotations[groupAnnotation]; len(title) == 1 {
		return title[0]
	}
	return ""
}

// ForStorage returns the groups of a command that reads or writes state.
func (c *Config) ForStorage() []Flags { return []Flags{&c.Storage, &c.Log, &c.Billing} }

// ForWorker returns the groups of a process that executes runs.
func (c *Config) ForWorker() []Flags {
	return append(c.ForStorage(), c.HTTP.worker(), &c.Workers, &c.Sandbox, &c.Generator, &c.Refresh, &c.Providers, &c.Webhooks, &c.Mail, &c.Operation)
}

// ForService returns the groups of the whole service.
func (c *Config) ForService() []Flags {
	return append(c.ForWorker(), &c.HTTP, &c.Limits, &c.Query, &c.Signin)
}

// Invalid is the error for a setting that cannot be used. Nothing was started.
type Invalid struct{ err error }

func (e *Invalid) Error() string { return e.err.Error() }

func (e *Invalid) Unwrap() error { return e.err }

func invalid(format string, args ...any) error {
	return &Invalid{err: fmt.Errorf(format, args...)}
}
