package columnar

// CacheCounts is how a cache does: what was asked of it since the process
// began, and what it holds.
type CacheCounts struct {
	Hits, Misses uint64
	Bytes        int64
}
