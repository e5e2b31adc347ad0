package confine

import "os"

// Plan describes what a process keeps.
type Plan struct {
	LastDescriptor int        // descriptors up to this one stay open
	Keep           []*os.File // these files stay open too
	Descriptors    uint64     // limit on the number of open descriptors
	FileBytes      uint64     // limit on the size of a file that it writes

	// Read lists files that the process may open for reading. Write lists folders in
	// which it may create, change and remove files. If both are empty it can open nothing.
	Read, Write []string

	// KeepUser keeps the user, who owns the files, but removes every capability.
	// Otherwise root becomes a user that owns nothing.
	KeepUser bool
}

// opens reports whether the process may open files.
func (p Plan) opens() bool { return len(p.Read)+len(p.Write) > 0 }
