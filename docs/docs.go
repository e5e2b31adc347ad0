// Package docs carries the pages that the service serves to its users.
package docs

import _ "embed"

// ScriptContract is what a script may say and see, in Markdown.
//
//go:embed script-contract.md
var ScriptContract []byte

// Metrics is every statistic with its formula, in Markdown.
//
//go:embed metrics.md
var Metrics []byte

// Bars is how bars are kept and imported, in Markdown.
//
//go:embed bars.md
var Bars []byte
