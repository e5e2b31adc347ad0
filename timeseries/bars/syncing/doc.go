// Package syncing brings bars from providers into the bar store.
//
// At most one load of an asset runs at a time, across processes: the loading
// process holds a lease in the Store, and others wait for it. A lease that is not
// renewed lapses, so a killed process does not block others for long. A load that
// fails changes nothing. After a load that brought nothing, the asset is not
// requested again for a while.
//
//	loader := syncing.New(syncing.Config{Providers: providers, Store: db, Reader: reader, Importer: importer, …})
//	result, err := loader.Read(ctx, asset, until, 4*time.Second)
//
// New bars are appended. If a provider has changed bars that it supplied before,
// its whole history replaces the stored one: the asset is restated, and
// Config.Restated is called. docs/providers.md has the rules.
package syncing
