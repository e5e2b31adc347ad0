// Package substrait stands in for the module of that name, which holds the definitions of
// Substrait's functions as text. The Iceberg library reads all of them whenever a process
// starts, and each SQL statement starts a process: that cost 130 ms of processor time and
// 30 MB. They describe row filters, which the lake does not use; with this module a filter
// fails, since no function has a definition. go.mod replaces the original module.
package substrait

import "embed"

//go:embed extensions
var extensions embed.FS

// GetSubstraitExtensionsFS returns the folder "extensions", which defines no function.
func GetSubstraitExtensionsFS() embed.FS { return extensions }

// GetSubstraitFS returns the same folder.
func GetSubstraitFS() embed.FS { return extensions }

// GetSubstraitTestsFS returns no files.
func GetSubstraitTestsFS() embed.FS { return embed.FS{} }
