// Package postgrestest gives a test an empty PostgreSQL database of its own.
//
//	dsn := postgrestest.New(t)
//	db, err := postgres.Open(ctx, dsn, postgres.Config{})
//
// One private server serves all tests of a process; it ends with the process, also
// by a kill, and its folder with it. NewFrom copies a database that was prepared
// once, which is faster than migrating it in each test.
package postgrestest
