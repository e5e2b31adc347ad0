// Package embedded runs a private PostgreSQL server under a data folder, so that
// the service needs no database set up for it.
//
// Start creates the cluster on first use (initdb), starts postgres with a Unix
// socket and no TCP, and returns a Server with its connection string; Stop ends
// it. The server never outlives the process that started it: on Linux, killing
// the service also kills its PostgreSQL; elsewhere the next Start ends a server
// that is left. Committed data survives both: fsync and synchronous_commit stay
// on.
//
//	DIR/postgres/data          the cluster
//	DIR/postgres/run           the socket's folder, 0700
//	DIR/postgres/postgres.log  the server's log, emptied when it grows past 16 MiB
//	DIR/postgres/lock          held by the process that runs the server
//
// PostgreSQL refuses to run as root; a root process starts it as the cluster's
// owner, by default the user postgres. Only that user and root can enter the
// socket's folder.
//
// The service connects as a role that owns its database but is not a superuser,
// so that no SQL that reaches the database can run programs or read files there.
// The cluster's superuser creates that role, and does nothing else.
//
// Command-line tools that run beside a service find its server with Attach.
package embedded
