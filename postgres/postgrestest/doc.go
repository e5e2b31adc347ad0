// Package postgrestest gives a test an empty PostgreSQL database of its own.
//
//	dsn := postgrestest.New(t)
//	db, err := postgres.Open(ctx, dsn, postgres.Config{})
//
// One private server serves all tests of a process. When the process ends, even by
// a kill, the server ends and its folder is removed. NewFrom copies a database that
// was prepared once, which is faster than migrating it in each test.
package postgrestest
