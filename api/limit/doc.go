// Package limit bounds how much a caller may ask of the service.
//
// Buckets holds a token bucket for each of many callers, in bounded memory; Crowd
// bounds what a caller does at the same time; Proxies finds the address that a
// request really came from.
//
//	keys := limit.NewBuckets(limit.Rate{PerSecond: 200, Burst: 1000}, 65536)
//	if wait := keys.Take(key, time.Now()); wait > 0 {
//		// refuse; the caller may come back after wait
//	}
//
// Each process has its own buckets. With an Exchange, those of several processes behave
// as one: a caller who uses all of them is refused as by one.
//
// Pass times with their monotonic part, as time.Now
// returns them, so that setting the clock neither refills nor empties a bucket.
package limit
