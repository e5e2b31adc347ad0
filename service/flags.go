package service

import (
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// StorageConfig specifies where state is stored, and how much memory its caches take.
type StorageConfig struct {
	DataDir         string
	DatabaseURL     string // "": the private PostgreSQL of the data folder
	Migrate         bool   // bring the database's schema up to date at start
	BucketURL       string // "": a folder in the data folder
	CacheMiB        int
	DuckDBMemoryMiB int
}

func (*StorageConfig) title() string { return "Database and objects" }

func (c *StorageConfig) bind(f *pflag.FlagSet) {
	f.StringVar(&c.DataDir, "data-dir", c.DataDir, "folder of the private database, the objects and the caches")
	f.StringVar(&c.DatabaseURL, "database-url", c.DatabaseURL, "PostgreSQL to use instead of the private one, postgres://…")
	f.BoolVar(&c.Migrate, "migrate", c.Migrate, "bring the database's tables up to date at start; otherwise ballast migrate has to do so first")
	f.StringVar(&c.BucketURL, "bucket-url", c.BucketURL, "bucket to use for bars and results instead of the data folder, s3://… or file://…")
	f.IntVar(&c.CacheMiB, "cache-mib", c.CacheMiB, "memory for decoded bars and results, in MiB")
	f.IntVar(&c.DuckDBMemoryMiB, "duckdb-memory-mib", c.DuckDBMemoryMiB, "memory for DuckDB's queries, in MiB")
}

// LogConfig specifies what is logged, and how.
type LogConfig struct{ Level, Format string }

func (*LogConfig) title() string { return "Log" }

func (c *LogConfig) bind(f *pflag.FlagSet) {
	f.StringVar(&c.Level, "log-level", c.Level, "debug, info, warn or error")
	f.StringVar(&c.Format, "log-format", c.Format, "text, json or auto (text on a terminal, else JSON)")
}

// BillingConfig specifies whether work is charged for, and at which prices.
type BillingConfig struct {
	Metering string // on, off or "", which is on if Plans is set
	Plans    string // path of a file
}

func (*BillingConfig) title() string { return "Billing" }

func (c *BillingConfig) bind(f *pflag.FlagSet) {
	f.StringVar(&c.Metering, "metering", c.Metering, "on: builds and runs are charged, and plans limit what accounts may do; off: nothing is charged and every feature is open (default on if --plans is set, else off)")
	f.StringVar(&c.Plans, "plans", c.Plans, "YAML file with prices, plans, and the quotas without metering; it overrides the built-in values")
}

// HTTPConfig specifies where the process listens, and how callers reach it.
type HTTPConfig struct {
	Listen         string
	PublicURL      string
	PrivateListen  string
	PublicMetrics  bool
	TrustedProxies []string
	Origins        []string
}

const httpTitle = "HTTP"

func (*HTTPConfig) title() string { return httpTitle }

func (c *HTTPConfig) bind(f *pflag.FlagSet) {
	f.StringVar(&c.Listen, "listen", c.Listen, "address of the REST interface; port 0 picks a free one")
	f.BoolVar(&c.PublicMetrics, "public-metrics", c.PublicMetrics, "serve /metrics at the address of the REST interface too, to everybody")
	f.StringSliceVar(&c.TrustedProxies, "trusted-proxies", c.TrustedProxies, "addresses and networks of the reverse proxies whose X-Forwarded headers are trusted")
	f.StringSliceVar(&c.Origins, "cors-origins", c.Origins, "origins whose pages may call the interface with a key, such as https://app.example.com (default none)")
}

// workerHTTP are the settings of HTTPConfig that a worker also has.
type workerHTTP struct{ *HTTPConfig }

func (c *HTTPConfig) worker() Flags { return workerHTTP{c} }

func (c workerHTTP) bind(f *pflag.FlagSet) {
	f.StringVar(&c.PublicURL, "public-url", c.PublicURL, "address at which callers reach the service, for the links in responses and mails (default: responses use the address of the request)")
	f.StringVar(&c.PrivateListen, "private-listen", c.PrivateListen, "address of /metrics and /debug/pprof, for operators only; port 0 picks a free one and logs it (default none)")
}

// LimitsConfig limits what callers may ask.
type LimitsConfig struct {
	Rate           float64 // requests per second with one key or session; 0: no limit
	Burst          int
	AddressRate    float64 // requests per second from one address; 0: no limit
	AddressBurst   int
	RefusedAMinute int // refused credentials from one address; 0: no limit
	AtOnce         int // requests of one account at the same time; 0: no limit
	DailyRuns      int // manual runs of one account
}

func (*LimitsConfig) title() string { return "Limits" }

func (c *LimitsConfig) bind(f *pflag.FlagSet) {
	f.Float64Var(&c.Rate, "rate-limit", c.Rate, "requests per second with one key or session, of all services together; 0 is no limit")
	f.IntVar(&c.Burst, "rate-burst", c.Burst, "requests that one key or session may send at once")
	f.Float64Var(&c.AddressRate, "address-rate-limit", c.AddressRate, "requests per second from one address, of all services together; 0 is no limit")
	f.IntVar(&c.AddressBurst, "address-rate-burst", c.AddressBurst, "requests that one address may send at once")
	f.IntVar(&c.RefusedAMinute, "refused-limit", c.RefusedAMinute, "refused keys and sign-ins per minute from one address before it has to wait; 0 is no limit")
	f.IntVar(&c.AtOnce, "account-requests", c.AtOnce, "requests of one account in progress at the same time, including those that wait for a run; 0 is no limit")
	f.IntVar(&c.DailyRuns, "daily-run-limit", c.DailyRuns, "manual runs that one account may start per day")
}

// SigninConfig specifies how people sign in, and how long a session lasts.
type SigninConfig struct {
	SessionIdle  time.Duration
	SessionMost  time.Duration
	Issuer       string
	ClientID     string
	ClientSecret string
	Allow        []string
	Provision    string
}

func (*SigninConfig) title() string { return "Sign-in" }

func (c *SigninConfig) bind(f *pflag.FlagSet) {
	f.DurationVar(&c.SessionIdle, "session-idle", c.SessionIdle, "a session ends after this long without a request")
	f.DurationVar(&c.SessionMost, "session-most", c.SessionMost, "a session ends after this long in any case")
	f.StringVar(&c.Issuer, "oidc-issuer", c.Issuer, "OpenID Connect issuer that people sign in with, https://…; needs --public-url")
	f.StringVar(&c.ClientID, "oidc-client-id", c.ClientID, "client ID of the service at the issuer")
	f.StringVar(&c.ClientSecret, "oidc-client-secret", c.ClientSecret, "client secret; set it in BALLAST_OIDC_CLIENT_SECRET rather than on the command line")
	f.StringSliceVar(&c.Allow, "oidc-allow", c.Allow, "mail addresses and domains that may sign in, or * for all (default: the addresses of accounts)")
	f.StringVar(&c.Provision, "oidc-provision", c.Provision, "plan of the account that a first sign-in creates: free, pro or business; off creates none")
}

// WorkersConfig specifies how much work is done at the same time.
type WorkersConfig struct {
	Runs      int
	Sandboxes int
}

func (*WorkersConfig) title() string { return "Workers" }

func (c *WorkersConfig) bind(f *pflag.FlagSet) {
	f.IntVar(&c.Runs, "workers", c.Runs, "runs in progress at the same time, in addition to one per account; only as many compute as there are sandboxes. 0: this process executes no runs, others have to")
	f.IntVar(&c.Sandboxes, "sandboxes", c.Sandboxes, "sandbox processes that are kept warm")
}

// SandboxConfig limits one run.
type SandboxConfig struct {
	Guards    string // available or strict
	Deadline  time.Duration
	MemoryMiB int
}

func (*SandboxConfig) title() string { return "Sandbox" }

func (c *SandboxConfig) bind(f *pflag.FlagSet) {
	c.Mode().bind(f)
	f.DurationVar(&c.Deadline, "run-deadline", c.Deadline, "time limit of one run in the sandbox")
	f.IntVar(&c.MemoryMiB, "run-memory-mib", c.MemoryMiB, "memory limit of one run in the sandbox, in MiB")
}

// Mode returns the setting of a command that starts guarded processes but no runs.
func (c *SandboxConfig) Mode() Flags { return guarding{c} }

type guarding struct{ *SandboxConfig }

func (c guarding) bind(f *pflag.FlagSet) {
	f.StringVar(&c.Guards, "sandbox", c.Guards, "available: use the guards that this kernel has; strict: refuse to start, or to execute SQL, if one is missing")
}

// strict reports whether processes without all guards are refused.
func (c *SandboxConfig) strict() (bool, error) {
	if c.Guards != guardsAvailable && c.Guards != guardsStrict {
		return false, invalid("sandbox %q: accepted are %s and %s", c.Guards, guardsAvailable, guardsStrict)
	}
	return c.Guards == guardsStrict, nil
}

// Values of --sandbox.
const (
	guardsAvailable = "available"
	guardsStrict    = "strict"
)

// GeneratorConfig specifies what writes scripts from prompts.
type GeneratorConfig struct {
	Name    string // grammar, anthropic or openai
	Model   string
	URL     string
	Key     string
	Timeout time.Duration
}

func (*GeneratorConfig) title() string { return "Generator" }

func (c *GeneratorConfig) bind(f *pflag.FlagSet) {
	f.StringVar(&c.Name, "generator", c.Name, "what writes scripts from prompts: the grammar alone, or anthropic or openai (any server with that protocol) after it")
	f.StringVar(&c.Model, "generator-model", c.Model, "name of the language model")
	f.StringVar(&c.URL, "generator-url", c.URL, "address of the language model's server (default: the provider's)")
	f.StringVar(&c.Key, "generator-key", c.Key, "API key of the language model's provider; set it in BALLAST_GENERATOR_KEY rather than on the command line")
	f.DurationVar(&c.Timeout, "generator-timeout", c.Timeout, "time limit of one response of the language model")
}

// RefreshConfig says when models follow new bars automatically.
type RefreshConfig struct {
	Enabled bool
	Delay   time.Duration // time after the session's close
	Bars    []string      // paths of files
}

func (*RefreshConfig) title() string { return "Refresh" }

func (c *RefreshConfig) bind(f *pflag.FlagSet) {
	f.BoolVar(&c.Enabled, "refresh", c.Enabled, "refresh models after each session of the New York Stock Exchange")
	f.DurationVar(&c.Delay, "refresh-delay", c.Delay, "time between the session's close and the refresh, from 0 to under 24h")
	f.StringSliceVar(&c.Bars, "refresh-bars", c.Bars, "files of bars to import before each refresh")
}

// ProvidersConfig specifies where bars come from that are not imported.
type ProvidersConfig struct {
	Names           []string // in the order in which they are asked
	TiingoKey       string
	EODHDKey        string
	AlphaVantageKey string
	StooqKey        string
	Folder          string
	URLs            map[string]string
	Rates           map[string]string // requests per minute, by name
	Timeout         time.Duration
}

func (*ProvidersConfig) title() string { return "Providers of bars" }

func (c *ProvidersConfig) bind(f *pflag.FlagSet) {
	f.StringSliceVar(&c.Names, "provider", c.Names, "providers of bars, in the order in which they are asked: "+strings.Join(ProviderNames, ", "))
	f.StringVar(&c.TiingoKey, "tiingo-key", c.TiingoKey, "API key of Tiingo; set it and the other keys in the environment (BALLAST_TIINGO_KEY) rather than on the command line")
	f.StringVar(&c.EODHDKey, "eodhd-key", c.EODHDKey, "API key of EODHD")
	f.StringVar(&c.AlphaVantageKey, "alphavantage-key", c.AlphaVantageKey, "API key of Alpha Vantage")
	f.StringVar(&c.StooqKey, "stooq-key", c.StooqKey, "API key of Stooq, which it asks of some addresses")
	f.StringVar(&c.Folder, "provider-folder", c.Folder, "folder with files SYMBOL.csv, SYMBOL.csv.gz or SYMBOL.parquet, for the provider named folder")
	f.StringToStringVar(&c.URLs, "provider-url", c.URLs, "other address of a provider, tiingo=http://…")
	f.StringToStringVar(&c.Rates, "provider-rate", c.Rates, "requests per minute to a provider, tiingo=60")
	f.DurationVar(&c.Timeout, "provider-timeout", c.Timeout, "time limit of one response of a provider")
}

// WebhooksConfig specifies which addresses webhooks may use.
type WebhooksConfig struct {
	Private bool
	Ports   []string
}

func (*WebhooksConfig) title() string { return "Webhooks" }

func (c *WebhooksConfig) bind(f *pflag.FlagSet) {
	f.BoolVar(&c.Private, "webhook-private", c.Private, "allow webhooks at http addresses and in private networks")
	f.StringSliceVar(&c.Ports, "webhook-ports", c.Ports, "ports and port ranges that webhooks may use besides 443 and 80, such as 8443 or 9000-9010")
}

// MailConfig specifies how mails are sent.
type MailConfig struct {
	SMTPURL string // "": no mails
	From    string
}

func (*MailConfig) title() string { return "Mail" }

func (c *MailConfig) bind(f *pflag.FlagSet) {
	f.StringVar(&c.SMTPURL, "smtp-url", c.SMTPURL, "mail server for allocation mails, smtp://user:password@host:587 or smtps://… (default: no mails)")
	f.StringVar(&c.From, "mail-from", c.From, "sender of the mails, Ballast <ballast@example.com>")
}

// OperationConfig is the housekeeping of a process.
type OperationConfig struct {
	ShutdownDelay time.Duration
	ShutdownGrace time.Duration
	SweepGrace    time.Duration
	AuditKeepDays int           // 0: for ever
	Lake          time.Duration // time between publications of the lake; 0: none are published
}

func (*OperationConfig) title() string { return "Operation" }

func (c *OperationConfig) bind(f *pflag.FlagSet) {
	f.DurationVar(&c.ShutdownDelay, "shutdown-delay", c.ShutdownDelay, "time after a stop signal for which requests are still accepted while /readyz says 503; with a load balancer, a little longer than it takes to notice")
	f.DurationVar(&c.ShutdownGrace, "shutdown-grace", c.ShutdownGrace, "time that requests and runs have to finish after a stop signal")
	f.IntVar(&c.AuditKeepDays, "audit-retention-days", c.AuditKeepDays, "days for which the audit log is kept; 0 is for ever")
	f.DurationVar(&c.Lake, "lake", c.Lake, "publish all results as Iceberg tables at start and then this often, such as 24h (default: never)")
	c.Sweep().bind(f)
}

// Sweep returns the settings of a command that looks for orphaned files.
func (c *OperationConfig) Sweep() Flags { return sweeping{c} }

type sweeping struct{ *OperationConfig }

func (c sweeping) bind(f *pflag.FlagSet) {
	f.DurationVar(&c.SweepGrace, "sweep-grace", c.SweepGrace, "age at which a file that nothing refers to is deleted; must be longer than any run takes")
}
