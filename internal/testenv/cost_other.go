//go:build !linux

package testenv

import "time"

var started = time.Now()

// threadTime returns the elapsed time, because the processor time of one thread is not
// available here.
func threadTime() time.Duration { return time.Since(started) }
