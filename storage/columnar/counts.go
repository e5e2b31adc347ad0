package columnar

// CacheCounts says how well a cache works: its hits and misses since the process started,
// and its content.
type CacheCounts struct {
	Hits, Misses uint64
	Bytes        int64
}
