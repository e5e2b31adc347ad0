//go:build !linux

package testenv

import "time"

var started = time.Now()

// threadTime is the time on the wall, where the system does not tell a thread's.
func threadTime() time.Duration { return time.Since(started) }
