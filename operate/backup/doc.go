// Package backup copies an installation to a folder while the service runs, and makes
// an installation from such a folder.
//
// It first copies the rows of one consistent snapshot of the database, and then the
// objects that these rows name. Objects never change, so rows and objects match. The
// folder contains
//
//	manifest.json    what is in the backup, with the checksum of each file; written last
//	rows/TABLE.zst   the rows of a table in PostgreSQL's COPY text format, compressed with Zstandard
//	objects/KEY      bars and results
//
// A folder without a manifest is an unfinished backup, and is refused.
//
// A backup is only data: a restore creates the tables with the program's own
// migrations and loads rows into them. The backup may come from elsewhere, so the
// restore also checks that its files are regular files in the folder, with the sizes
// and checksums of the manifest.
//
// Format 1, of earlier versions, has database.dump, the output of pg_dump, instead of
// rows. Restoring it takes only the rows from that file.
package backup
