package sandbox

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// spinning keeps a number of endless runs of an account going until the test ends. It
// counts those that were displaced.
func spinning(t *testing.T, p *Pool, account string, runs int) (displaced *atomic.Int32) {
	t.Helper()
	displaced = &atomic.Int32{}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	for range runs {
		go func() {
			defer func() { ended <- struct{}{} }()
			j := job(t, "spin")
			for j.Account = account; ctx.Err() == nil; {
				_, err := p.Run(ctx, j)
				if errors.Is(err, ErrDisplaced) {
					j.Long = true
					displaced.Add(1)
				}
			}
		}()
	}
	t.Cleanup(func() {
		cancel()
		for range runs {
			<-ended
		}
	})
	return displaced
}

// shortly runs a short job of an account and returns how long it took.
func shortly(t *testing.T, p *Pool, account string) time.Duration {
	t.Helper()
	j := job(t, "echo")
	j.Account = account
	began := time.Now()
	outcome, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	outcome.Release()
	return time.Since(began)
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// However many endless runs other accounts have, a run of a further account waits at most
// until the run before it is no longer short. The limits in the test allow for other load
// on the machine; the deadline is one minute.
func TestSpinningAccountsDelayNobody(t *testing.T) {
	for name, accounts := range map[string][]string{
		"one account":   {"a"},
		"two accounts":  {"a", "b"},
		"five accounts": {"a", "b", "c", "d", "e"},
	} {
		t.Run(name, func(t *testing.T) {
			p := poolOf(t, Config{
				Command: []string{"/proc/self/exe", "sandbox"}, Size: 2, Most: 4,
				Defaults: Limits{Deadline: time.Minute, Memory: 512 << 20, Steps: 1e9},
			})
			var displaced []*atomic.Int32
			for _, account := range accounts {
				displaced = append(displaced, spinning(t, p, account, 16/len(accounts)))
			}
			eventually(t, "each account has had a child", func() (all bool) {
				had := p.children() - len(p.idle)
				for _, n := range displaced {
					had += min(1, int(n.Load()))
				}
				return had >= max(2, len(accounts))
			})
			for _, account := range []string{"x", "y", "z"} {
				took := shortly(t, p, account)
				t.Logf("%s: %s", account, took)
				if took > 5*time.Second {
					t.Errorf("the first run of %s took %s", account, took)
				}
			}
		})
	}
}

func TestSlowRunsHaveALowerPriority(t *testing.T) {
	p := testPool(t, 1)
	before := descendants(t)[0]
	spinning(t, p, "a", 1)
	eventually(t, "the child's priority is lowered", func() bool {
		nice, err := unix.Getpriority(unix.PRIO_PROCESS, before)
		return err == nil && 20-nice == slowNice
	})
}

// The priority of a child cannot be raised again, so a child with a lowered one is
// replaced.
func TestAChildIsReplacedAfterASlowRun(t *testing.T) {
	p := testPool(t, 1)
	first := failed(t, p, "pid").Message
	if _, err := p.Run(t.Context(), job(t, "work 800ms")); err != nil {
		t.Fatal(err)
	}
	if again := failed(t, p, "pid").Message; again == first {
		t.Error("a short run got the child of a slow one")
	}
}

func TestADisplacedRunKeepsItsNextChild(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "sandbox"}, Size: 1, Most: 2, Defaults: Limits{Deadline: time.Minute, Memory: 512 << 20, Steps: 1e9}})
	long, other := job(t, "work 1500ms"), job(t, "work 1500ms")
	long.Account, other.Account = "a", "b"
	displaced := make(chan error)
	for _, j := range []Job{long, other} {
		go func() {
			_, err := p.Run(t.Context(), j)
			displaced <- err
		}()
	}
	eventually(t, "both have a child", func() bool { return p.children() == 2 && len(p.idle) == 0 })
	shortly(t, p, "c")
	first, second := <-displaced, <-displaced
	if !errors.Is(errors.Join(first, second), ErrDisplaced) || (first != nil && second != nil) {
		t.Fatalf("%v and %v, where one has to make room", first, second)
	}
	long.Long = true
	done := make(chan error)
	go func() {
		_, err := p.Run(t.Context(), long)
		done <- err
	}()
	for range 5 {
		shortly(t, p, "c")
		shortly(t, p, "d")
	}
	if err := <-done; err != nil {
		t.Errorf("the run that came back: %v", err)
	}
}

func TestExtraChildrenGoAgain(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "sandbox"}, Size: 1, Most: 3})
	spinning(t, p, "a", 1)
	eventually(t, "the run has its child", func() bool { return len(p.idle) == 0 })
	shortly(t, p, "b")
	if n := p.children(); n != 2 {
		t.Errorf("%d children, want 2", n)
	}
	eventually(t, "the extra child has gone", func() bool { return p.children() == 1 })
}

func TestStoppedRunReportsProcessorTime(t *testing.T) {
	p := testPool(t, 1)
	// Long enough that the child computes for the time wanted below, however many others do.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := p.Run(ctx, job(t, "spin"))
	var stopped *Stopped
	if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) || stopped.CPU < 50*time.Millisecond {
		t.Errorf("error %#v", err)
	}
}
