// Package docs carries the pages that the service serves to its users.
package docs

import _ "embed"

// ScriptContract is what a script may say and see, in Markdown.
//
//go:embed script-contract.md
var ScriptContract []byte

// Conventions is what holds for every operation, in Markdown.
//
//go:embed conventions.md
var Conventions []byte

// Metrics is every statistic with its formula, in Markdown.
//
//go:embed metrics.md
var Metrics []byte

// Bars is how bars are kept and imported, in Markdown.
//
//go:embed bars.md
var Bars []byte

// Prompts is what the built-in grammar understands, in Markdown.
//
//go:embed prompts.md
var Prompts []byte

// Exports is how whole tables are read, in Markdown.
//
//go:embed exports.md
var Exports []byte

// Generation is how language models are configured, in Markdown.
//
//go:embed generation.md
var Generation []byte

// Download is how a script runs outside the service, in Markdown.
//
//go:embed download.md
var Download []byte

// Access is who may use the service, and how much, in Markdown.
//
//go:embed access.md
var Access []byte

// Billing is how usage is metered and charged, in Markdown.
//
//go:embed billing.md
var Billing []byte

// History is what each block of a history is, in Markdown.
//
//go:embed history.md
var History []byte

// Backfills is how proxies stand before assets' first bars, in Markdown.
//
//go:embed backfills.md
var Backfills []byte

// Catalog is how the catalog is imported and screened, in Markdown.
//
//go:embed catalog.md
var Catalog []byte

// Webhooks is how the service tells what happens, in Markdown.
//
//go:embed webhooks.md
var Webhooks []byte

// Drafts is how strategies are edited without publishing them, in Markdown.
//
//go:embed drafts.md
var Drafts []byte
