//go:build duckdb_arrow

package child

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"ballast/internal/confine"
	"ballast/query/engine"
)

// Main runs a child process to its end and returns the exit code. It must be called on
// the main goroutine. folder is for temporary files.
func Main(folder string) int {
	runtime.LockOSThread()
	// A signal to the process group is meant for the service, which ends its children
	// itself.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	if err := serve(folder, os.Stdin, os.Stdout, confine.Harden); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// serve answers one order, after harden has given up what the process does not need. Its
// error concerns the process; an error in the statement is part of the answer.
func serve(folder string, in io.Reader, out io.Writer, harden func(confine.Plan) confine.Report) error {
	db, err := open(folder)
	if err != nil {
		return err
	}
	if err := engine.WriteFrame(out, engine.KindReady, nil); err != nil {
		return err
	}
	orders := bufio.NewReader(in)
	order, err := engine.ReadOrder(orders)
	debug.SetGCPercent(100) // it was started without garbage collection
	if errors.Is(err, io.EOF) {
		return nil // the child was not needed
	}
	if err != nil {
		return err
	}
	data := make([][]byte, len(order.Data))
	for i := range data {
		if data[i], err = engine.ReadData(orders); err != nil {
			return fmt.Errorf("read table %s: %w", order.Data[i], err)
		}
	}
	if err := limit(order.Limits); err != nil {
		return err
	}
	guards := harden(confine.Plan{
		LastDescriptor: 2, Descriptors: descriptors, FileBytes: uint64(max(order.Limits.Spill, 0)),
		Read: files(order), Write: []string{folder}, KeepUser: true,
	})
	// The work moves to another goroutine, because switching from a locked thread is
	// slow.
	done := make(chan error)
	go func() {
		last := &engine.End{}
		if missing := guards.Missing(); order.Strict && len(missing) > 0 {
			last.Failure = &engine.Failure{Reason: engine.Guards, Message: "the query process lacks " + strings.Join(missing, ", ") + " on this system: " + guards.String()}
		} else {
			last = db.run(order, data, out)
		}
		last.Guards = guards
		b, err := json.Marshal(last)
		if err == nil {
			err = engine.WriteFrame(out, engine.KindEnd, b)
		}
		done <- err
	}()
	return <-done
}

// descriptors are enough for the files that the threads of a scan hold open.
const descriptors = 1024
