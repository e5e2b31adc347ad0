package postgres

import "ballast/program"

// ProgramStores returns the stores that package program declares. This database
// implements all of them.
func (db *DB) ProgramStores() program.Stores {
	return program.Stores{
		Models: db, Members: db, Sharing: db, Symbols: db, Builds: db, Rules: db, BuildChanges: db, Runs: db, RunChanges: db,
		Drafts: db, Revisions: db, RevisionChanges: db, Trash: db, Series: db,
	}
}
