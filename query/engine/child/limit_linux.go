package child

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"

	"ballast/query/engine"
)

// headroom is the memory of a child in bytes that DuckDB does not count: code, stacks,
// the garbage collector's reserve, and read-ahead.
const headroom = 2 << 30

// limit makes the kernel stop what DuckDB's own limits and the pool are too slow to stop.
func limit(l engine.Limits) error {
	var size, resident uint64
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return fmt.Errorf("limit memory: %w", err)
	}
	if _, err := fmt.Sscan(string(b), &size, &resident); err != nil {
		return fmt.Errorf("limit memory: %w", err)
	}
	most := size*uint64(os.Getpagesize()) + uint64(max(l.Memory, 0)) + headroom
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: most, Max: most}); err != nil {
		return fmt.Errorf("limit memory: %w", err)
	}
	seconds := uint64(math.Ceil(l.Time.Seconds()*float64(max(l.Threads, 1)+1))) + 10
	if err := unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds + 1}); err != nil {
		return fmt.Errorf("limit processor time: %w", err)
	}
	return nil
}
