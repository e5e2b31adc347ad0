//go:build unix

package doctor

import (
	"context"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A disk with fewer free bytes than the first limit must be fixed, because PostgreSQL
// stops when it cannot write. A smaller free share than the second is only a notice.
const (
	leastFree  = 1 << 30
	leastShare = 0.05
)

// Disk checks the free space under a folder.
func Disk(folder string) Check {
	return Check{Name: "disk", Look: func(context.Context) ([]Finding, error) {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		var s unix.Statfs_t
		if err := unix.Statfs(abs, &s); err != nil {
			return nil, fmt.Errorf("get the free space of %s: %w", abs, err)
		}
		free, whole := float64(s.Bavail)*float64(s.Bsize), float64(s.Blocks)*float64(s.Bsize)
		if free >= leastFree && free >= leastShare*whole || whole == 0 {
			return nil, nil
		}
		return []Finding{{
			Subject: abs, Message: fmt.Sprintf("%.1f GiB of %.1f GiB are free", free/(1<<30), whole/(1<<30)),
			Advice: "free disk space: delete old backups, move the data folder to a larger disk, or keep objects in a bucket (--bucket-url)",
			Notice: free >= leastFree,
		}}, nil
	}}
}
