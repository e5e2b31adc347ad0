package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"time"

	"ballast/backtest"
	"ballast/internal/confine"
	"ballast/internal/fair"
	"ballast/script"
)

// startLimit is how long a process may take to become ready.
const startLimit = 20 * time.Second

// child is one sandbox process.
type child struct {
	cmd    *exec.Cmd
	link   *link
	proc   *process
	guards confine.Report
	stderr *lastWords
	done   chan struct{} // closed when the process has ended
	runs   int
	broken bool // must not be used again
	// lowered says that the child's priority was lowered. Raising it again needs a
	// privilege, so the child is replaced after its run.
	lowered bool
	rested  rest // when it last became idle
}

// spawn starts a process that ends when ctx is done. The calling thread must
// outlive the process.
func spawn(ctx context.Context, argv []string) (_ *child, err error) {
	c := &child{cmd: exec.CommandContext(ctx, argv[0], argv[1:]...), stderr: &lastWords{}, done: make(chan struct{})}
	c.cmd.Env = []string{"GOGC=off"} // until it has started: see serve
	c.cmd.Dir = "/"
	c.cmd.Stderr = c.stderr
	c.cmd.SysProcAttr = attributes()
	if c.link, err = connect(c.cmd); err != nil {
		return nil, err
	}
	err = c.cmd.Start()
	c.link.started()
	if err != nil {
		_ = c.link.Close()
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	go func() {
		_ = c.cmd.Wait() // ProcessState has the details
		close(c.done)
	}()
	return c, nil
}

// meet waits until the child is hardened. If that fails, it ends the child.
func (c *child) meet() error {
	err := c.greeted()
	if err != nil {
		c.end()
		return fmt.Errorf("start the sandbox: %w%s", err, c.stderr.note())
	}
	return nil
}

func (c *child) greeted() (err error) {
	if c.proc, err = newProcess(c.cmd.Process.Pid, c.cmd.Path); err != nil {
		return err
	}
	if err := c.link.SetReadDeadline(time.Now().Add(startLimit)); err != nil {
		return err
	}
	var said hello
	if _, err := readMessage(c.link, &said); err != nil {
		return err
	}
	c.guards = said.Guards
	c.proc.watched(&c.guards)
	return c.link.SetReadDeadline(time.Time{})
}

// end kills the process and waits until it is gone.
func (c *child) end() {
	c.broken = true
	_ = c.cmd.Process.Kill() // it may have ended already
	_ = c.link.Close()
	<-c.done
	if c.proc != nil {
		c.proc.close()
	}
}

// diedError says that a child ended during a run for a reason that is not the
// run's.
type diedError struct{ how string }

func (e *diedError) Error() string { return "the sandbox process died: " + e.how }

// run makes the child execute m in a place of the pool. Errors are *failure,
// *damagedError, *diedError, ErrDisplaced, ctx's error or an error of the
// system.
func (c *child) run(ctx context.Context, m *message, place *fair.Place) (*reply, *backtest.Result, time.Duration, error) {
	before := c.proc.cpu()
	w := c.watch(ctx, m, place)
	answer, result, err := c.exchange(m, w)
	why := w.stop()
	if err == nil && why == causeNone {
		cpu := c.proc.cpu() - before
		if answer.Failure != nil {
			return answer, nil, cpu, answer.Failure
		}
		return answer, result, cpu, nil
	}
	c.end()
	cpu, overCPU := ended(c.cmd.ProcessState)
	cpu -= before
	var bad *damagedError
	switch {
	case why == causeCanceled:
		err = ctx.Err()
	case why == causeDisplaced:
		err = ErrDisplaced
	case why == causeDeadline || overCPU:
		err = &failure{Type: script.TimeLimit, Message: w.stage.deadlineMessage(m.limits.Deadline)}
	case why == causeMemory || c.stderr.outOfMemory():
		err = &failure{Type: script.MemoryLimit, Message: w.stage.memoryMessage(m.limits.Memory)}
	case errors.As(err, &bad):
	default:
		err = &diedError{c.cmd.ProcessState.String() + c.stderr.note()}
	}
	return nil, nil, max(cpu, 0), err
}

// exchange sends a request and reads its response, followed by the verdict if
// the request asks for one.
func (c *child) exchange(m *message, w *watch) (*reply, *backtest.Result, error) {
	c.runs++
	id := rand.Uint64() // random, so that a child cannot prepare an answer in advance
	if err := c.link.send(id, m); err != nil {
		return nil, nil, err
	}
	h, err := readAnswer(c.link, id, m.noteHandler(stageRun))
	if err != nil {
		return nil, nil, err
	}
	answer, result, err := readReply(c.link, h, id, m.of, m.earlier, m.sheet, m.points)
	if err != nil || answer.Failure != nil || !m.causality {
		return answer, result, err
	}
	w.check()
	if h, err = readAnswer(c.link, id, m.noteHandler(stageCausality)); err != nil {
		return answer, result, err
	}
	answer.verdict, answer.Failure, err = readVerdict(c.link, h, id, result, m.of)
	return answer, result, err
}
