// Package backup copies an installation into a folder, beside the running
// service, and makes an installation of such a folder again.
//
// The database is dumped as it is at one moment, and the objects that it names at
// that moment are copied after it: objects never change, so that they are the
// ones that the dump means. The folder has
//
//	manifest.json    what is in the backup, with the checksum of each file; written last
//	database.dump    pg_dump's custom format
//	objects/KEY      bars and results
//
// A folder without a manifest is a backup that was not finished, and is refused.
package backup
