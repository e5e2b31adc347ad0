package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"ballast/backtest"
	"ballast/script"
)

func testPool(tb testing.TB, size int) *Pool {
	tb.Helper()
	return poolOf(tb, Config{Command: []string{"/proc/self/exe", "sandbox"}, Size: size})
}

func poolOf(tb testing.TB, c Config) *Pool {
	tb.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	if c.Defaults.Deadline == 0 {
		c.Defaults = Limits{Deadline: 10 * time.Second, Memory: 512 << 20, Steps: 1e9}
	}
	p, err := NewPool(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Error(err)
		}
	})
	return p
}

func job(tb testing.TB, source string) Job {
	return Job{Source: source, Inputs: map[string]any{"x": 5, "list": []any{"a", 1.5}}, Frame: panel(tb, 3, 300)}
}

func failed(t *testing.T, p *Pool, source string) *script.RunError {
	t.Helper()
	_, err := p.Run(t.Context(), job(t, source))
	var f *script.RunError
	if !errors.As(err, &f) {
		t.Fatalf("%s: error %v is not a run's", source, err)
	}
	return f
}

func TestRunGivesTheEnginesTables(t *testing.T) {
	p := testPool(t, 1)
	j := job(t, "echo")
	for range 2 {
		got, err := p.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		r, err := backtest.Run(t.Context(), j.Frame, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		r.State.Past = backtest.Fingerprint(j.Frame, r.State.Session)
		daily, ledger, err := r.Tables(memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Daily().Schema().Equal(daily.Schema()) || !got.Ledger().Schema().Equal(ledger.Schema()) {
			t.Errorf("schema %v, %v", got.Daily().Schema(), got.Ledger().Schema())
		}
		if m := daily.Schema().Metadata(); !got.Daily().Schema().Metadata().Equal(m) {
			t.Errorf("metadata %v instead of %v", got.Daily().Schema().Metadata(), m)
		}
		if !array.RecordEqual(got.Daily(), daily) || !array.RecordEqual(got.Ledger(), ledger) {
			t.Error("other tables than the engine's own")
		}
		if diff := cmp.Diff([]string{"one", "two\uFFFD", "5"}, got.Log); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
		if got.Steps != 42 || got.CPU <= 0 || got.CPU > time.Second {
			t.Errorf("%d steps in %s", got.Steps, got.CPU)
		}
	}
}

func TestConcurrentRuns(t *testing.T) {
	p := testPool(t, 2)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			source := "echo"
			if i%10 == 3 {
				source = "exit"
			}
			_, err := p.Run(t.Context(), job(t, source))
			if (err != nil) != (source == "exit") {
				t.Errorf("%s: %v", source, err)
			}
		})
	}
	wg.Wait()
}

func TestFailureCrosses(t *testing.T) {
	p := testPool(t, 1)
	want := &script.RunError{Type: script.ScriptError, Message: "no\uFFFD", Line: 3, Date: "2000-01-04", Traceback: "decide"}
	got := failed(t, p, "fail")
	if got.CPU <= 0 || got.CPU > time.Second {
		t.Errorf("processor time %s", got.CPU)
	}
	got.CPU = 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLimits(t *testing.T) {
	p, machine := testPool(t, 1), newPace(t)
	short := Limits{Deadline: 300 * time.Millisecond}
	small := Limits{Memory: 128 << 20}
	for _, c := range []struct {
		source string
		limits Limits
		want   script.RunErrorType
	}{
		{"spin", short, script.TimeLimit}, {"linger", short, script.TimeLimit}, {"sleep 30s", short, script.TimeLimit},
		{"allocate", small, script.MemoryLimit}, {"gulp", small, script.MemoryLimit}, {"recurse", small, script.MemoryLimit},
	} {
		t.Run(c.source, func(t *testing.T) {
			j := job(t, c.source)
			j.Limits = c.limits
			began := time.Now()
			_, err := p.Run(t.Context(), j)
			machine.holds(t, c.source, began, time.Since(began), c.limits.or(Limits{Deadline: 4 * time.Second}))
			if got := endOf(err); got != string(c.want) {
				t.Errorf("%s instead of %s: %v", got, c.want, err)
			}
			if _, err := p.Run(t.Context(), job(t, "echo")); err != nil {
				t.Errorf("the next run: %v", err)
			}
		})
	}
}

func TestUnsoundChildren(t *testing.T) {
	p := testPool(t, 1)
	for _, c := range []struct{ source, want string }{
		{"panic", "died"}, {"exit", "died"}, {"cut", "died"},
		{"garbage", "damaged"}, {"huge", "damaged"},
		{"nan", "damaged"}, {"cheat", "damaged"}, {"stranger", "damaged"}, {"early", "damaged"},
	} {
		t.Run(c.source, func(t *testing.T) {
			got := failed(t, p, c.source)
			if got.Type != script.InternalError || !strings.Contains(got.Message, c.want) {
				t.Errorf("%+v", got)
			}
			if _, err := p.Run(t.Context(), job(t, "echo")); err != nil {
				t.Errorf("the next run: %v", err)
			}
		})
	}
}

func TestKilledChildIsTriedAgain(t *testing.T) {
	p := testPool(t, 1)
	for _, kills := range []int{1, 2} {
		t.Run(fmt.Sprint(kills), func(t *testing.T) {
			go func() {
				pid := -1
				for range kills {
					for children := descendants(t); ; children = descendants(t) {
						if len(children) == 1 && children[0] != pid && busy(children[0]) {
							pid = children[0]
							break
						}
						time.Sleep(5 * time.Millisecond)
					}
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}()
			_, err := p.Run(t.Context(), job(t, "sleep 400ms"))
			var f *script.RunError
			switch {
			case kills == 1 && err != nil:
				t.Errorf("not tried again: %v", err)
			case kills == 2 && (!errors.As(err, &f) || f.Type != script.InternalError):
				t.Errorf("error %v", err)
			}
		})
	}
}

// busy reports whether a child holds a frame.
func busy(pid int) bool {
	maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	return strings.Contains(string(maps), "memfd:frame")
}

func TestCanceledRunEndsAtOnce(t *testing.T) {
	p, machine := testPool(t, 1), newPace(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := p.Run(ctx, job(t, "spin")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	machine.holds(t, "spin", began, time.Since(began), Limits{Deadline: 100 * time.Millisecond})
}

func TestWaitForAChildIsCanceled(t *testing.T) {
	p := testPool(t, 1)
	holding, letGo := context.WithCancel(t.Context())
	defer letGo()
	go func() { _, _ = p.Run(holding, job(t, "spin")) }()
	eventually(t, "the first run is in work", runInWork(t))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := p.Run(ctx, job(t, "echo")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v of a run that waited", err)
	}
}

// runInWork reports whether one of this process's children has a run. The pool's own
// counts do not show this: a child that is starting or being checked is neither idle nor
// busy.
func runInWork(t *testing.T) func() bool {
	return func() bool { return slices.ContainsFunc(descendants(t), busy) }
}

func TestLargeChildIsReplaced(t *testing.T) {
	p := testPool(t, 1)
	first := failed(t, p, "pid").Message
	if again := failed(t, p, "pid").Message; again != first {
		t.Errorf("process %s after %s", again, first)
	}
	keep := job(t, "keep")
	keep.Limits.Memory = 4 << 30 // the race detector uses several times as much
	if _, err := p.Run(t.Context(), keep); err != nil {
		t.Fatal(err)
	}
	if again := failed(t, p, "pid").Message; again == first {
		t.Error("the same process with all that it keeps")
	}
}

func TestCloseLeavesNoProcess(t *testing.T) {
	c := Config{Command: []string{"/proc/self/exe", "sandbox"}, Size: 3, Logger: slog.New(slog.DiscardHandler)}
	p, err := NewPool(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(descendants(t)); n != 3 {
		t.Errorf("%d children instead of 3", n)
	}
	done := make(chan error)
	go func() {
		_, err := p.Run(t.Context(), job(t, "spin"))
		done <- err
	}()
	eventually(t, "the run is in work", runInWork(t))
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("the run that was under way: %v", err)
	}
	if left := descendants(t); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if _, err := p.Run(t.Context(), job(t, "echo")); !errors.Is(err, ErrClosed) {
		t.Errorf("run after close: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// descendants lists the children of this process.
func descendants(t *testing.T) []int {
	t.Helper()
	var pids []int
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		_, after, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(after); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestNewPoolFails(t *testing.T) {
	for _, c := range []struct {
		name    string
		command []string
		want    string
	}{
		{"no command", nil, "no command"},
		{"no such file", []string{"/nonexistent"}, "no such file"},
		{"another program", []string{"/bin/true"}, "start the sandbox"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewPool(t.Context(), Config{Command: c.command, Size: 2, Strict: true, Registerer: prometheus.NewRegistry()})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}
