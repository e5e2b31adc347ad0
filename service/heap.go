package service

import (
	"runtime"
	"runtime/debug"
)

// reserveBytes is how much the heap may grow between two garbage collections, in
// addition to what is in use.
const reserveBytes = 32 << 20

// reserve makes a service collect garbage less often. The service keeps about 15 MB
// in use; under the usual rule, to collect when the heap has doubled, refreshing
// models caused four collections per second. The reserve counts as in use but is
// never touched, so it takes no memory from the system. The caller keeps it until
// release.
func reserve() (release func()) {
	memory := make([]byte, reserveBytes)
	return func() { runtime.KeepAlive(memory) }
}

// releaseStart gives back memory that only the start needed: the parser of migrations
// keeps 4 MB per thread in a pool, which survives one collection.
func releaseStart() {
	runtime.GC()
	debug.FreeOSMemory()
}
