// Package loading brings bars from providers into the bar store.
//
// A Loader loads an asset once at a time, across processes: who loads holds a
// lease in the Store, others wait for it. A lease that is not renewed lapses,
// so that a killed process holds up nobody for long. A load that fails leaves
// what was there, and what was asked for in vain is not asked for again for a
// while.
//
//	loader := loading.New(loading.Config{Providers: providers, Store: db, Reader: reader, Importer: importer, …})
//	result, err := loader.Read(ctx, asset, until, 4*time.Second)
//
// New bars are appended. Where a provider has changed what it gave before, the
// whole history is taken anew: the asset is restated, and Config.Restated is
// told. docs/providers.md has the rules.
package loading
