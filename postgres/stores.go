package postgres

import "ballast/program"

// ProgramStores are the stores that package program declares, all of them this
// database.
func (db *DB) ProgramStores() program.Stores {
	return program.Stores{
		Models: db, Members: db, Sharing: db, Symbols: db, Builds: db, BuildChanges: db, Runs: db, RunChanges: db,
		Drafts: db, Revisions: db, RevisionChanges: db, Trash: db,
	}
}
