package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// Config is everything that can be set, with its defaults in defaultConfig.
type Config struct {
	DataDir         string
	Listen          string
	DatabaseURL     string
	BucketURL       string
	LogLevel        string
	LogFormat       string
	PrivateListen   string
	PublicMetrics   bool
	Workers         int
	Sandboxes       int
	Sandbox         string
	RunDeadline     time.Duration
	RunMemoryMiB    int
	CacheMiB        int
	DuckDBMemoryMiB int
	ShutdownGrace   time.Duration
	DailyRunLimit   int
	SweepGrace      time.Duration
	PublicURL       string
	Refresh         bool
	RefreshDelay    time.Duration
	RefreshBars     []string
	WebhookPrivate  bool
	WebhookPorts    []string
	SMTPURL         string
	MailFrom        string
	Metering        string
	Plans           string

	Access AccessConfig

	Providers       []string
	TiingoKey       string
	EODHDKey        string
	AlphaVantageKey string
	StooqKey        string
	ProviderFolder  string
	ProviderURLs    map[string]string
	ProviderRates   map[string]string
	ProviderTimeout time.Duration

	Generator        string
	GeneratorModel   string
	GeneratorURL     string
	GeneratorKey     string
	GeneratorTimeout time.Duration
}

func defaultConfig() Config {
	return Config{
		DataDir:         "data",
		Listen:          "127.0.0.1:8080",
		LogLevel:        "info",
		LogFormat:       "auto",
		Workers:         6, // more than sandboxes: most of a run's time it waits for disk and database
		Sandboxes:       2,
		Sandbox:         "available",
		RunDeadline:     60 * time.Second,
		RunMemoryMiB:    1024,
		CacheMiB:        64,
		DuckDBMemoryMiB: 512,
		ShutdownGrace:   30 * time.Second,
		DailyRunLimit:   500,
		SweepGrace:      time.Hour,
		Refresh:         true,
		RefreshDelay:    3 * time.Hour,
		ProviderTimeout: 20 * time.Second,

		Access: defaultAccess(),

		Generator:        grammarAlone,
		GeneratorTimeout: 2 * time.Minute,
	}
}

// storageFlags are what every command that reads or writes state takes.
func storageFlags(f *pflag.FlagSet, c *Config) {
	f.StringVar(&c.DataDir, "data-dir", c.DataDir, "folder of the private database, the objects and the caches")
	f.StringVar(&c.DatabaseURL, "database-url", c.DatabaseURL, "PostgreSQL to use instead of the private one, postgres://…")
	f.StringVar(&c.BucketURL, "bucket-url", c.BucketURL, "bucket for bars and results instead of the data folder, s3://… or file://…")
	f.StringVar(&c.LogLevel, "log-level", c.LogLevel, "debug, info, warn or error")
	f.StringVar(&c.LogFormat, "log-format", c.LogFormat, "auto, text or json (auto: text on a terminal)")
	f.IntVar(&c.CacheMiB, "cache-mib", c.CacheMiB, "memory for decoded bars and results, in MiB")
	f.IntVar(&c.DuckDBMemoryMiB, "duckdb-memory-mib", c.DuckDBMemoryMiB, "memory that DuckDB may use for imports, in MiB")
	f.StringVar(&c.Metering, "metering", c.Metering, "on holds and charges credit for builds and runs and lets accounts do what their plans include; off charges nothing and leaves every feature open; without it on where --plans names a file, else off")
	f.StringVar(&c.Plans, "plans", c.Plans, "YAML file of prices, of what each plan includes, and of the quotas without metering; what it leaves out is built in")
}

// workFlags are what processes that execute runs take besides.
func workFlags(f *pflag.FlagSet, c *Config) {
	f.IntVar(&c.Workers, "workers", c.Workers, "runs under way at the same time in this process, beside one of each account; as many compute as there are sandboxes, the others read, write and publish")
	f.IntVar(&c.Sandboxes, "sandboxes", c.Sandboxes, "warm sandbox processes")
	sandboxFlags(f, c)
	generatorFlags(f, c)
	refreshFlags(f, c)
	eventFlags(f, c)
	providerFlags(f, c)
	f.StringVar(&c.PrivateListen, "private-listen", c.PrivateListen, "address of /metrics and of profiles (pprof), for operators alone; port 0 picks a free one, which the log names; empty is none")
	f.DurationVar(&c.SweepGrace, "sweep-grace", c.SweepGrace, "age from which a result file that no run names is deleted; longer than any run takes")
	f.IntVar(&c.Access.AuditKeepDays, "audit-retention-days", c.Access.AuditKeepDays, "how long the audit log is kept, in days; 0 is for ever")
	f.DurationVar(&c.ShutdownGrace, "shutdown-grace", c.ShutdownGrace, "how long requests and runs may finish after a stop signal")
}

// sandboxFlags are the limits of one run.
func sandboxFlags(f *pflag.FlagSet, c *Config) {
	f.StringVar(&c.Sandbox, "sandbox", c.Sandbox, "available uses the guards this kernel has, strict refuses to start where one is missing")
	f.DurationVar(&c.RunDeadline, "run-deadline", c.RunDeadline, "time that one run may take in the sandbox")
	f.IntVar(&c.RunMemoryMiB, "run-memory-mib", c.RunMemoryMiB, "memory that one run may take in the sandbox, in MiB")
}

// configure sets each flag that the command line left alone from the
// environment (BALLAST_ and the flag's name in capitals), else from the
// configuration file (--config or BALLAST_CONFIG, YAML with flag names as keys).
func configure(cmd *cobra.Command) error {
	file, err := configFile(cmd)
	if err != nil {
		return err
	}
	var problems []error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Name == "help" || f.Name == "config" {
			delete(file, f.Name)
			return
		}
		name := "BALLAST_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, source := os.Getenv(name), name
		if inFile, ok := file[f.Name]; ok && value == "" {
			value, source = settingText(inFile), "the configuration file"
		}
		delete(file, f.Name)
		if value == "" {
			return
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			problems = append(problems, fmt.Errorf("%s from %s: %w", f.Name, source, err))
		}
	})
	for key := range file {
		if !knownSetting(cmd.Root(), key) {
			problems = append(problems, fmt.Errorf("unknown setting %q in the configuration file; ballast serve --help lists the settings", key))
		}
	}
	return errors.Join(problems...)
}

// settingText writes a value of the configuration file as flags take it: lists
// and maps with commas.
func settingText(v any) string {
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			parts = append(parts, fmt.Sprint(e))
		}
	case map[string]any:
		for k, e := range v {
			parts = append(parts, fmt.Sprintf("%s=%v", k, e))
		}
		sort.Strings(parts)
	default:
		return fmt.Sprint(v)
	}
	return strings.Join(parts, ",")
}

func configFile(cmd *cobra.Command) (map[string]any, error) {
	path, _ := cmd.Flags().GetString("config")
	if path == "" {
		path = os.Getenv("BALLAST_CONFIG")
	}
	if path == "" {
		return map[string]any{}, nil
	}
	text, err := os.ReadFile(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the configuration file %s does not exist", path)
	}
	if err != nil {
		return nil, err
	}
	settings := map[string]any{}
	if err := yaml.Unmarshal(text, &settings); err != nil {
		return nil, fmt.Errorf("the configuration file %s is not YAML of the form `data-dir: /var/lib/ballast`: %w", path, err)
	}
	return settings, nil
}

// knownSetting reports whether any command has the flag: one file serves all commands.
func knownSetting(root *cobra.Command, name string) bool {
	for _, c := range root.Commands() {
		if c.Flags().Lookup(name) != nil || knownSetting(c, name) {
			return true
		}
	}
	return false
}
