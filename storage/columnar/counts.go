package columnar

// CacheCounts shows how well a cache works: its hits and misses since the process started,
// and the bytes that it holds.
type CacheCounts struct {
	Hits, Misses uint64
	Bytes        int64
}
