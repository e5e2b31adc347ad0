package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"

	"github.com/fxamacker/cbor/v2"

	"ballast/internal/confine"
	"ballast/script"
)

// executor runs the script of a request. It must honour ctx.
type executor func(ctx context.Context, r request) finished

// Main is the main function of a child process, which executes models and
// scripts of the families. It returns the exit code. It must be called on the
// goroutine of main.
func Main(families ...Family) int { return serve(newCompiler(families).execute) }

// processors is the GOMAXPROCS of a child. It runs one script at a time: one
// processor for the script and one for the garbage collector and the socket.
const processors = 2

// maxStack limits the stack, in bytes, against deep recursion in a script's
// values.
const maxStack = 64 << 20

// collectAt is the GOGC of a child. The heap may grow fivefold between
// collections, because runs are short; the memory limit still applies.
const collectAt = 400

// hello is the first message of a child.
type hello struct {
	Guards confine.Report `cbor:"guards"`
}

func serve(execute executor) int {
	runtime.LockOSThread()
	runtime.GOMAXPROCS(processors)
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(collectAt)
	// A signal to the process group is meant for the service, which ends its children
	// itself.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	s, err := childEnd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	limits, err := newLimiter()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if err := greet(s, confine.Harden(plan(limits))); err != nil {
		return 1
	}
	// Work on another goroutine, because one that is locked to a thread is slow to
	// switch.
	code := make(chan int)
	go func() { code <- loop(s, limits, execute) }()
	return <-code
}

// descriptors is the limit of open files. It suffices for the standard three,
// the socket, statm, the runtime's poller and a frame.
const descriptors = 16

// plan returns what a child keeps when it is hardened.
func plan(l *limiter) confine.Plan {
	return confine.Plan{LastDescriptor: childSocket, Keep: l.files(), Descriptors: descriptors}
}

func greet(w io.Writer, r confine.Report) error {
	control, err := cbor.Marshal(hello{r})
	if err != nil {
		return err
	}
	_, err = w.Write(append(header{control: uint32(len(control))}.bytes(), control...))
	return err
}

// loop answers requests until the pool closes its end.
func loop(s *socket, limits *limiter, execute executor) int {
	for {
		id, r, release, err := s.receive()
		if errors.Is(err, io.EOF) {
			return 0
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "request:", err)
			return 1
		}
		debug.SetMemoryLimit(r.Memory - r.Memory/8)
		if err := limits.set(r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		err = answer(s, id, limits, execute, r)
		release()
		if err != nil {
			fmt.Fprintln(os.Stderr, "response:", err)
			return 1
		}
	}
}

// answer executes a request and sends either a failure or the result. If the
// request asks for it, the verdict on its causality follows, which has the same
// limits as the run again.
func answer(s *socket, id uint64, limits *limiter, execute executor, r request) error {
	if r.Notes {
		r.at = &atomic.Int64{}
	}
	running := startNotes(s, id, r.at)
	f := perform(execute, r)
	running.stop()
	complete, err := writeReply(s, id, f)
	if err != nil || !complete || !r.Causality {
		return err
	}
	if err := limits.set(r); err != nil {
		return err
	}
	if r.at != nil {
		r.at.Store(0)
	}
	checking := startNotes(s, id, r.at)
	v := judge(f.check, r.Deadline)
	checking.stop()
	return writeVerdict(s, id, v)
}

// perform executes a request within its deadline.
func perform(execute executor, r request) finished {
	ctx, cancel := context.WithTimeout(context.Background(), r.Deadline)
	defer cancel()
	f := execute(ctx, r)
	if f.err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f.err = &failure{Type: script.TimeLimit, Message: stageRun.deadlineMessage(r.Deadline), Line: f.err.Line, Date: f.err.Date, Traceback: f.err.Traceback}
	}
	return f
}
