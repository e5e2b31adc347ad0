package bars

// Forget drops the decoded segments and keeps the footers, as after a long time of other
// work.
func (r *Reader) Forget() {
	r.cache.segments = newLRU[Ref, *decoded](DefaultCache)
	r.cache.footers.limit = 1 << 30
}
