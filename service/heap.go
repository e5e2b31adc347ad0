package service

import (
	"runtime"
	"runtime/debug"
)

// reserveBytes is how much the heap may grow between two collections besides what
// is in use.
const reserveBytes = 32 << 20

// reserve lets a service collect its garbage less often. It keeps some 15 MB in
// use, so that by the usual rule, to collect when that has doubled, refreshes of
// models had it collect four times a second. What is reserved counts as in use and
// is never touched: it takes no memory from the system. The caller keeps it.
func reserve() (release func()) {
	memory := make([]byte, reserveBytes)
	return func() { runtime.KeepAlive(memory) }
}

// releaseStart gives back the memory that only the start needed: the parser of
// migrations keeps 4 MB a thread in a pool, which lives through one collection.
func releaseStart() {
	runtime.GC()
	debug.FreeOSMemory()
}
