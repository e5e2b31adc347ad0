package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// memory measures the memory of a fresh service that nobody calls, and of the rows'
// service after all its work.
func memory(e *Env) Row {
	return Row{
		Name: "idle memory of ballast serve, without PostgreSQL", Key: "IdleMemory",
		Bar: "≤ 150 MB", Limits: []Limit{{Figure: "serve", Most: 150}},
		Measure: func(ctx context.Context) (_ Result, err error) {
			if _, err := os.Stat("/proc/self/status"); err != nil {
				return Result{Skipped: "no /proc on this system"}, nil
			}
			worked, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			fresh, err := startService(ctx, e.Binary, "")
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, fresh.stop()) }()
			select {
			case <-ctx.Done():
				return Result{}, ctx.Err()
			case <-time.After(time.Duration(e.count(10_000, 1000)) * time.Millisecond):
			}
			idle, err := resident(fresh.pid())
			if err != nil {
				return Result{}, err
			}
			after, err := resident(worked.pid())
			if err != nil {
				return Result{}, err
			}
			sandboxes, n, err := sandboxMemory(fresh.pid())
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					megabytes("serve", idle["VmRSS"]), megabytes("of it private", idle["RssAnon"]),
					megabytes("sandboxes", sandboxes["VmRSS"]), megabytes("of them private", sandboxes["RssAnon"]),
					megabytes("serve after work", after["VmRSS"]),
				},
				Note: fmt.Sprintf("resident set; %d warm sandboxes; the rest is pages of the program file, shared by all", n),
			}, nil
		},
	}
}

func megabytes(name string, bytes int64) Figure {
	return Figure{Name: name, Value: float64(bytes) / 1e6, Unit: "MB"}
}

// resident returns the memory figures of a process, in bytes.
func resident(pid int) (map[string]int64, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return nil, err
	}
	return statusMemory(string(text)), nil
}

// statusMemory reads the lines of /proc/PID/status that are in kB (of 1,024 bytes).
func statusMemory(text string) map[string]int64 {
	out := map[string]int64{}
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if len(fields) != 2 || fields[1] != "kB" {
			continue
		}
		if n, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
			out[name] = n << 10
		}
	}
	return out
}

// sandboxMemory adds up the memory of the service's sandbox processes.
func sandboxMemory(service int) (total map[string]int64, n int, err error) {
	children, err := descendants(service)
	if err != nil {
		return nil, 0, err
	}
	total = map[string]int64{}
	for _, pid := range children {
		line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err != nil || !strings.HasSuffix(strings.TrimRight(string(line), "\x00"), "\x00sandbox") {
			continue // it has ended since, or is PostgreSQL's
		}
		one, err := resident(pid)
		if err != nil {
			continue
		}
		n++
		for k, v := range one {
			total[k] += v
		}
	}
	return total, n, nil
}

// descendants returns the processes that a process has started, directly or indirectly.
func descendants(of int) ([]int, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	children := map[int][]int{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Clean(f))
		if err != nil {
			continue // it has ended since
		}
		// The name in parentheses may contain anything, even parentheses.
		end := strings.LastIndexByte(string(text), ')')
		fields := strings.Fields(string(text[end+1:]))
		if len(fields) < 2 {
			continue
		}
		parent, err := strconv.Atoi(fields[1])
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil {
			continue
		}
		children[parent] = append(children[parent], pid)
	}
	var out []int
	for queue := []int{of}; len(queue) > 0; queue = queue[1:] {
		out = append(out, children[queue[0]]...)
		queue = append(queue, children[queue[0]]...)
	}
	return out, nil
}
