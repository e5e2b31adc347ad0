package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processor is processor time by who used it, in user and kernel mode together.
type processor struct{ serve, sandboxes, postgres time.Duration }

// errNoProc is the error on systems that do not report the times of processes.
var errNoProc = errors.New("no /proc on this system")

// processorTime reads the time that a service, its sandboxes and its private PostgreSQL
// have used so far, including processes that have ended.
func processorTime(service int) (processor, error) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		return processor{}, errNoProc
	}
	self, ended, err := taken(service)
	if err != nil {
		return processor{}, err
	}
	below, err := descendants(service)
	if err != nil {
		return processor{}, err
	}
	p := processor{serve: self, sandboxes: ended} // PostgreSQL lives as long as the service
	for _, pid := range below {
		line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err != nil {
			continue // it has ended since
		}
		self, ended, err := taken(pid)
		switch {
		case err != nil:
		case strings.HasSuffix(strings.TrimRight(string(line), "\x00"), "\x00sandbox"):
			p.sandboxes += self + ended
		default:
			p.postgres += self + ended
		}
	}
	return p, nil
}

func (p processor) minus(earlier processor) processor {
	return processor{p.serve - earlier.serve, p.sandboxes - earlier.sandboxes, p.postgres - earlier.postgres}
}

// figures are the times of each of n models.
func (p processor) figures(n int) []Figure {
	of := func(name string, d time.Duration) Figure { return milliseconds(name, d/time.Duration(n)) }
	return []Figure{
		of("processor time a model", p.serve+p.sandboxes+p.postgres),
		of("of it serve", p.serve), of("of it sandboxes", p.sandboxes), of("of it PostgreSQL", p.postgres),
	}
}

// tick is the unit of times in /proc/PID/stat.
const tick = 10 * time.Millisecond

// taken returns the processor time of a process, and that of the ended processes that it
// has waited for.
func taken(pid int) (self, ended time.Duration, err error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, 0, err
	}
	return statTimes(string(text))
}

// statTimes reads utime, stime, cutime and cstime, fields 14 to 17 of proc(5).
func statTimes(text string) (self, ended time.Duration, err error) {
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 15 {
		return 0, 0, fmt.Errorf("%d fields in the state of a process", len(fields))
	}
	for i, sum := range []*time.Duration{&self, &self, &ended, &ended} {
		n, err := strconv.ParseInt(fields[11+i], 10, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("times of a process: %w", err)
		}
		*sum += time.Duration(n) * tick
	}
	return self, ended, nil
}
