package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// The test binary is also the child, with an executor that does what the source says.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "sandbox" {
		os.Exit(serve(pretend))
	}
	if len(os.Args) > 1 && os.Args[1] == "count" {
		os.Exit(Main(counting))
	}
	if len(os.Args) > 1 && os.Args[1] == "script" {
		os.Exit(Main())
	}
	if len(os.Args) > 2 && os.Args[1] == "unguarded" {
		os.Exit(unguarded(os.Args[2]))
	}
	if len(os.Args) > 1 && os.Args[1] == "malicious" {
		os.Exit(malicious())
	}
	if len(os.Args) > 1 && os.Args[1] == "parent" {
		parent()
	}
	os.Exit(m.Run())
}

var hoard [][]byte

// pretend is the executor of tests: the first word of the source says what to do.
func pretend(ctx context.Context, r request) finished {
	word, rest, _ := strings.Cut(r.Source, " ")
	switch word {
	case "spin":
		for {
			rest += ""
		}
	case "linger":
		<-ctx.Done()
		return finished{err: &failure{Type: script.ScriptError, Message: "canceled"}}
	case "sleep":
		d, _ := time.ParseDuration(rest)
		time.Sleep(d)
	case "work": // compute for a given processor time
		d, _ := time.ParseDuration(rest)
		for used := cpuTime(); cpuTime()-used < d; {
			rest += ""
		}
	case "allocate":
		for {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			hoard = append(hoard, b)
		}
	case "gulp":
		hoard = append(hoard, make([]byte, 1<<38))
	case "keep":
		b := make([]byte, keptMemory+32<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		hoard = append(hoard, b)
	case "recurse":
		return finished{err: &failure{Message: deep(0, 1)}}
	case "panic":
		panic("a fault in the executor")
	case "exit":
		os.Exit(3)
	case "fail":
		return finished{steps: 7, err: &failure{Type: script.ScriptError, Message: "no\xff", Line: 3, Date: r.frame.Axis[1].String(), Traceback: "decide"}}
	case "garbage":
		_, _ = unix.Write(childSocket, []byte(strings.Repeat("garbage!", 100)))
	case "huge":
		_, _ = unix.Write(childSocket, header{id: 1, control: 10, body: 1 << 40}.bytes())
		select {}
	case "cut":
		_, _ = unix.Write(childSocket, header{}.bytes()[:10])
		os.Exit(0)
	case "try":
		return finished{err: &failure{Type: script.ScriptError, Message: trespass(rest)}}
	case "when":
		var first time.Time
		_, _ = backtest.Run(ctx, r.frame, monthly(), backtest.DeciderFunc(func(*backtest.Session, []float64) (bool, error) {
			first = time.Now()
			return false, errors.New("that is all")
		}), backtest.Everything)
		return finished{err: &failure{Type: script.ScriptError, Message: fmt.Sprint(first.UnixNano())}}
	case "pid":
		return finished{err: &failure{Type: script.ScriptError, Message: fmt.Sprint(unix.Getpid())}}
	}
	decider := backtest.DeciderFunc(equalWeight)
	if word == "peek" {
		decider = peek
	}
	result, err := backtest.Run(ctx, r.frame, monthly(), decider, backtest.Everything)
	if err != nil {
		return finished{err: &failure{Type: script.InternalError, Message: err.Error()}}
	}
	switch word {
	case "nan":
		result.Equity[3] = math.NaN()
	case "cheat":
		result.Returns[3] += 0.01
	case "stranger":
		result.Ledger[0].Trades[0].Member = 99
	case "early":
		result.Ledger[0].Fill--
	}
	return finished{
		result: result, log: []string{"one", "two\xff", fmt.Sprint(r.Inputs["x"])}, steps: 42,
		check: func(ctx context.Context) (*backtest.Causality, error) {
			if word == "check" {
				return pretendToCheck(ctx, rest)
			}
			return backtest.CheckCausality(ctx, r.frame, monthly(), result, 1, func(*timeseries.Frame) (backtest.Decider, error) { return decider, nil })
		},
	}
}

// cpuTime returns the processor time of this process.
func cpuTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t)
	return time.Duration(t.Nano())
}

// pretendToCheck returns an unsound verdict of the requested kind.
func pretendToCheck(ctx context.Context, what string) (*backtest.Causality, error) {
	switch what {
	case "linger":
		<-ctx.Done()
		return nil, ctx.Err()
	case "spin":
		for {
			what += ""
		}
	case "allocate":
		pretend(ctx, request{Source: "allocate"})
	case "exit":
		os.Exit(3)
	case "garbage":
		_, _ = unix.Write(childSocket, []byte(strings.Repeat("garbage!", 100)))
		return nil, nil
	case "fail":
		return nil, errors.New("the check failed")
	case "early":
		return &backtest.Causality{Causal: true, Cuts: []backtest.Cut{{Date: timeseries.NewDate(1900, 1, 1)}}}, nil
	}
	return nil, nil
}

// peek holds slightly more of the second member if its next return is high.
func peek(s *backtest.Session, target []float64) (bool, error) {
	trade, err := equalWeight(s, target)
	if s.T+1 < len(s.Frame.Axis) {
		target[1] += 1e-9 * s.Frame.Members[1].Returns[s.T+1]
	}
	return trade, err
}

func deep(a, b int) string {
	var pad [4096]byte
	pad[a%4096] = byte(b)
	if a < 0 {
		return ""
	}
	return deep(a+1, b) + string(pad[:1])
}
