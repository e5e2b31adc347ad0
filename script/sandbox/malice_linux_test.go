package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/fxamacker/cbor/v2"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"

	"ballast/internal/confine"
	"ballast/script"
)

// malicious is the main function of a child that was taken over: it respects its guards,
// since it has no choice, and nothing else.
func malicious() int {
	runtime.LockOSThread()
	s, err := childEnd()
	if err != nil {
		return 2
	}
	limits, err := newLimiter()
	if err != nil {
		return 2
	}
	if err := greet(s, confine.Harden(plan(limits))); err != nil {
		return 1
	}
	for {
		id, r, release, err := s.receive()
		if err != nil {
			return 0
		}
		if err := limits.set(r); err != nil {
			return 1
		}
		malice(s, id, r)
		release()
	}
}

// malice answers a request, or does not, as its source says.
func malice(s *socket, id uint64, r request) {
	var b bytes.Buffer
	_, _ = writeReply(&b, id, pretend(context.Background(), request{Source: "echo", frame: r.frame}))
	sound := b.Bytes()
	say := func(parts ...[]byte) {
		for _, part := range parts {
			_, _ = s.Write(part)
		}
	}
	control := func(v any) []byte {
		text, _ := cbor.Marshal(v)
		return append(header{id: id, control: uint32(len(text))}.bytes(), text...)
	}
	switch r.Source {
	case "nothing":
		select {}
	case "another id":
		say(header{id: id + 1, control: 1}.bytes(), []byte{0xa0})
	case "no magic":
		say(make([]byte, 4096))
	case "a control part of 4 GiB":
		say(header{id: id, control: 1<<32 - 1}.bytes())
	case "a body of 16 EiB":
		say(header{id: id, control: 1, body: 1<<64 - 1}.bytes())
	case "a control part that is not CBOR":
		say(header{id: id, control: 64}.bytes(), bytes.Repeat([]byte{0xff}, 64))
	case "a control part of nested lists":
		say(header{id: id, control: 4096}.bytes(), bytes.Repeat([]byte{0x81}, 4096))
	case "a list of a billion in its control part":
		say(header{id: id, control: 16}.bytes(), append([]byte{0xa1, 0x63, 'l', 'o', 'g', 0x9a, 0x40, 0, 0, 0}, make([]byte, 6)...))
	case "a log of a hundred thousand lines":
		say(control(map[string]any{"log": slices.Repeat([]string{strings.Repeat("x", 30)}, 1<<16+5), "failure": map[string]any{"type": "script_error"}}))
	case "a failure of a megabyte":
		say(control(map[string]any{"failure": map[string]any{"type": "script_error", "message": strings.Repeat("x", 1<<20)}}))
	case "a failure of its own type":
		say(control(map[string]any{"failure": map[string]any{"type": "<script>"}}))
	case "half a header and silence":
		say(sound[:10])
		select {}
	case "half a control part and silence":
		say(sound[:headerSize+20])
		select {}
	case "half a body and silence":
		say(sound[:len(sound)/2])
		select {}
	case "a byte at a time":
		for _, c := range sound {
			say([]byte{c})
			time.Sleep(10 * time.Millisecond)
		}
	case "half an answer and the end":
		say(sound[:len(sound)/2])
		os.Exit(0)
	case "a closed socket":
		_ = unix.Close(childSocket)
		select {}
	case "half an answer and a closed socket":
		say(sound[:len(sound)/2])
		_ = unix.Close(childSocket)
		select {}
	case "standard error without end":
		for line := bytes.Repeat([]byte("no end of it "), 5000); ; {
			_, _ = os.Stderr.Write(line)
		}
	case "the same answer twice":
		say(sound, sound)
	case "an answer and a flood":
		say(sound)
		go func() {
			for {
				say(bytes.Repeat(sound, 10))
			}
		}()
	case "an answer and the end":
		say(sound)
		os.Exit(0)
	case "an answer and memory":
		say(sound)
		go seize(unix.PROT_READ | unix.PROT_WRITE)
	case "an answer and time":
		say(sound)
		go func() {
			for {
				_ = unix.Getpid()
			}
		}()
	case "stopped":
		_ = unix.Tgkill(unix.Getpid(), unix.Gettid(), unix.SIGSTOP)
	case "killed":
		_ = unix.Tgkill(unix.Getpid(), unix.Gettid(), unix.SIGKILL)
	case "memory beyond its own limit":
		seize(unix.PROT_READ | unix.PROT_WRITE)
	case "addresses beyond its own limit":
		// Their page tables use kernel memory, which is not counted as the process's.
		seize(unix.PROT_READ)
	case "shared memory of its own":
		if _, err := unix.Mmap(-1, 0, 16<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANON); err == nil {
			say(control(reply{Failure: &failure{Type: script.ScriptError, Message: "it has memory that is not counted"}}))
		}
		say(sound)
	case "threads":
		for range 100000 {
			go func() {
				runtime.LockOSThread()
				_ = unix.Nanosleep(&unix.Timespec{Sec: 100}, nil)
			}()
		}
		select {}
	case "the frame written to":
		page := uintptr(unsafe.Pointer(&r.frame.Members[0].Returns[0])) &^ 4095
		if _, _, errno := unix.RawSyscall(unix.SYS_MPROTECT, page, 4096, unix.PROT_READ|unix.PROT_WRITE); errno == 0 {
			say(control(reply{Failure: &failure{Type: script.ScriptError, Message: "the frame can be written to"}}))
		}
		r.frame.Members[0].Returns[0] = 1
	default:
		say(sound)
	}
}

// seize allocates memory without end, or address space that it only reads. The process
// may raise its own limit, since it sets it; the watch still applies.
func seize(protection int) {
	_ = unix.Prlimit(0, unix.RLIMIT_AS, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}, nil)
	var seen byte
	for {
		b, err := unix.Mmap(-1, 0, 16<<20, protection, unix.MAP_PRIVATE|unix.MAP_ANON)
		for i := 0; err == nil && i < len(b); i += 4096 {
			if protection&unix.PROT_WRITE != 0 {
				b[i] = 1
			}
			seen |= b[i]
		}
	}
}

// TestMaliciousChildren checks that a child that was taken over ends only its own run, in
// time, with the name of a limit or of what is wrong.
func TestMaliciousChildren(t *testing.T) {
	p, machine := poolOf(t, Config{Command: []string{"/proc/self/exe", "malicious"}, Size: 2}), newPace(t)
	ward := newWard(t, p, job(t, "sound"))
	for _, c := range []struct{ source, end, message string }{
		{"nothing", timeEnd, ""},
		{"another id", "internal", "damaged"},
		{"no magic", "internal", "damaged"},
		{"a control part of 4 GiB", "internal", "damaged"},
		{"a body of 16 EiB", "internal", "damaged"},
		{"a control part that is not CBOR", "internal", "damaged"},
		{"a control part of nested lists", "internal", "damaged"},
		{"a list of a billion in its control part", "internal", "damaged"},
		{"a log of a hundred thousand lines", "internal", "damaged"},
		{"a failure of a megabyte", "internal", "damaged"},
		{"a failure of its own type", "internal", "damaged"},
		{"half a header and silence", timeEnd, ""},
		{"half a control part and silence", timeEnd, ""},
		{"half a body and silence", timeEnd, ""},
		{"a byte at a time", timeEnd, ""},
		{"half an answer and the end", "internal", "died"},
		{"a closed socket", "internal", "died"},
		{"half an answer and a closed socket", "internal", "died"},
		{"standard error without end", timeEnd, ""},
		{"the same answer twice", complete, ""},
		{"an answer and a flood", complete, ""},
		{"an answer and the end", complete, ""},
		{"stopped", timeEnd, ""},
		{"killed", "internal", "died"},
		{"memory beyond its own limit", memoryEnd, ""},
		{"addresses beyond its own limit", memoryEnd, ""},
		{"shared memory of its own", complete, ""},
		{"threads", memoryEnd, ""},
		{"the frame written to", "internal", "died"},
	} {
		t.Run(c.source, func(t *testing.T) {
			j := job(t, c.source)
			j.Limits = Limits{Deadline: burden * 300 * time.Millisecond, Memory: burden * 64 << 20}
			if c.end == memoryEnd {
				j.Limits.Deadline = 5 * time.Second
			}
			var aside sync.WaitGroup
			aside.Go(func() { ward.check(t) })
			began := time.Now()
			_, err := p.Run(t.Context(), j)
			took := time.Since(began)
			aside.Wait()
			if end := endOf(err); end != c.end || !strings.Contains(fmt.Sprint(err), c.message) {
				t.Errorf("%s instead of %s: %.300v", end, c.end, err)
			}
			machine.holds(t, c.source, began, took, j.Limits)
			ward.check(t)
			ward.check(t) // both children
		})
	}
	ward.refilled(t)
}

// TestOldAnswersAreNotTaken checks that a child cannot prepare an answer to a later run: it
// does not know the id, and is replaced.
func TestOldAnswersAreNotTaken(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "malicious"}})
	for range 5 {
		if _, err := p.Run(t.Context(), job(t, "the same answer twice")); err != nil {
			t.Fatal(err)
		}
		j := job(t, "sound")
		j.Frame = panel(t, 2, 50)
		o, err := p.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if n := o.Daily().NumRows(); n != 50 {
			t.Errorf("an answer of %d rows", n)
		}
	}
}

// TestIdleChildrenAreWatched checks that a child that continues to work after its answer
// is replaced even if no other run is requested.
func TestIdleChildrenAreWatched(t *testing.T) {
	t.Parallel()
	for source, reason := range map[string]string{"an answer and memory": "large", "an answer and time": "busy", "an answer and the end": "died"} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			registry := prometheus.NewRegistry()
			p := poolOf(t, Config{Command: []string{"/proc/self/exe", "malicious"}, Registerer: registry})
			first := p.first(t)
			if _, err := p.Run(t.Context(), job(t, source)); err != nil {
				t.Fatal(err)
			}
			for range 600 {
				if next := p.first(t); next != first {
					if got := metric(t, registry, "ballast_sandbox_replaced_total"); got[reason] != 1 {
						t.Errorf("replaced are %v, and one that is %s was due", got, reason)
					}
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
			t.Error("the child goes on")
		})
	}
}

// first returns the process id of a pool's only child, when it is idle.
func (p *Pool) first(t *testing.T) int {
	t.Helper()
	select {
	case c := <-p.idle:
		defer func() { p.idle <- c }()
		return c.proc.pid
	case <-time.After(startLimit):
		t.Fatal("no child is free")
		return 0
	}
}
