// Package limit bounds how much a caller may ask of the service.
//
// Buckets holds a token bucket for each of many callers, in memory that is
// bounded; Proxies finds the address that a request really came from.
//
//	keys := limit.NewBuckets[string](limit.Rate{PerSecond: 200, Burst: 1000}, 65536)
//	if wait := keys.Take(key, time.Now()); wait > 0 {
//		// refuse; the caller may come back after wait
//	}
//
// Buckets are each process's own. Times need their monotonic part, as time.Now
// gives it, so that a clock which is set neither refills nor empties a bucket.
package limit
