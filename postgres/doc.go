// Package postgres keeps the service's metadata in PostgreSQL: accounts and
// keys, the catalog, the manifest of the stored bars, models with their builds
// and runs, and the queue of background work.
//
//	db, err := postgres.Open(ctx, dsn, postgres.Config{})
//	defer db.Close()
//	err = db.Migrate(ctx)
//	programs := program.New(program.Config{Stores: db.ProgramStores(), Assets: db, …})
//
// DB implements the interfaces that the domain packages declare. A method that
// changes state is one transaction, and puts the jobs that follow from the
// change into River's queue in the same one. What a caller may see comes back as
// a *fault.Error; a database that cannot be reached is fault.Unavailable.
// Migrations are numbered SQL files, embedded in the program. Queries are in one SQL
// file per table, from which sqlc generates internal/dbsqlc ("make generate"). Only
// queries that vary, such as the filters of assets, and bulk loads are written by
// hand.
package postgres

//go:generate sqlc generate
