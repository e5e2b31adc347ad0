package confine

import "os"

// Plan says what a process keeps.
type Plan struct {
	LastDescriptor int        // descriptors up to it stay open
	Keep           []*os.File // as do these
	Descriptors    uint64     // bound of open descriptors
	FileBytes      uint64     // bound of a file that it writes

	// Read are files that it may open for reading, Write are folders in which it may
	// make, change and remove files. Without both it opens nothing.
	Read, Write []string

	// KeepUser leaves the process its user, to whom the files belong, and takes every
	// capability of it. Otherwise root becomes a user that owns nothing.
	KeepUser bool
}

// opens reports whether the process may open files.
func (p Plan) opens() bool { return len(p.Read)+len(p.Write) > 0 }
