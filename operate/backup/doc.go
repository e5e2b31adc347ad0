// Package backup copies an installation into a folder, beside the running
// service, and makes an installation from such a folder.
//
// The rows of the database are copied as they are at one moment, and the objects
// that they name at that moment after them: objects never change, so both fit
// together. The folder has
//
//	manifest.json    what is in the backup, with the checksum of each file; written last
//	rows/TABLE.zst   the rows of a table in PostgreSQL's COPY text format, compressed with Zstandard
//	objects/KEY      bars and results
//
// A folder without a manifest is a backup that was not finished, and is refused.
//
// A backup is data and nothing else: restoring it makes the tables by the
// program's own migrations and loads rows into them. What a backup says of itself
// is checked all the same, since it may come from somewhere else: files have to
// be regular files of the folder with the sizes and checksums of the manifest.
//
// Format 1, of former versions, has database.dump, a file of pg_dump's, in place
// of the rows. Restoring it takes the rows from it and leaves the rest.
package backup
