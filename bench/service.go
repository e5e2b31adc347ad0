package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// service is a running ballast serve on a temporary data folder.
type service struct {
	binary string
	dir    string // data folder
	cmd    *exec.Cmd
	errs   strings.Builder
	client *client
	runs   int // runs so far; each has different inputs
	builds int
	plans  bool   // whether the simulation PLAN is there
	wide   *layer // the cascade's layer, once it was measured
}

// startService starts the binary with a new data folder and creates an account with a
// key.
func startService(ctx context.Context, binary, privateListen string, flags ...string) (_ *service, err error) {
	if _, err := os.Stat(binary); err != nil {
		return nil, fmt.Errorf("the program to measure is missing: %w; make build makes it", err)
	}
	s := &service{binary: binary}
	if s.dir, err = os.MkdirTemp("", "ballast-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	url, err := s.serve(ctx, privateListen, flags...)
	if err != nil {
		return nil, err
	}
	if _, err := s.command(ctx, "account", "create", "bench", "--plan", "business", "--grant-cents", "100000000"); err != nil {
		return nil, err
	}
	key, err := s.command(ctx, "keys", "create", "--account", "bench")
	if err != nil {
		return nil, err
	}
	s.client = newClient(url, strings.TrimSpace(key))
	return s, nil
}

// serve starts the process and waits for its address.
func (s *service) serve(ctx context.Context, privateListen string, flags ...string) (url string, err error) {
	args := append([]string{"serve", "--data-dir", s.dir, "--listen", "127.0.0.1:0", "--log-level", "warn", "--daily-run-limit", "1000000",
		"--rate-limit", "0", "--address-rate-limit", "0"}, flags...)
	if privateListen != "" {
		args = append(args, "--private-listen", privateListen)
	}
	s.cmd = exec.CommandContext(ctx, s.binary, args...)
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.WaitDelay = 30 * time.Second
	s.cmd.Stderr = &s.errs
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var ready struct{ URL string }
	if err == nil {
		err = json.Unmarshal([]byte(line), &ready)
	}
	if err != nil {
		return "", fmt.Errorf("ballast serve did not become ready: %w", err)
	}
	return ready.URL, nil
}

// command runs another command of the binary on the same folder.
func (s *service) command(ctx context.Context, args ...string) (output string, err error) {
	cmd := exec.CommandContext(ctx, s.binary, append(args, "--data-dir", s.dir)...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ballast %s: %w: %s%s", strings.Join(args, " "), err, out, errs.String())
	}
	return string(out), nil
}

func (s *service) importBars(ctx context.Context, file string) error {
	_, err := s.command(ctx, "import", "bars", file)
	return err
}

// stop ends the process and removes the folder. If the process fails, the error has
// what it wrote.
func (s *service) stop() error {
	var problem error
	if s.cmd != nil {
		_ = s.cmd.Process.Signal(syscall.SIGTERM) // fails only if the process has ended
		if err := s.cmd.Wait(); err != nil {
			problem = fmt.Errorf("ballast serve: %w: %s", err, s.errs.String())
		}
		s.cmd = nil
	}
	return errors.Join(problem, os.RemoveAll(s.dir))
}

// pid is the process id of ballast serve.
func (s *service) pid() int { return s.cmd.Process.Pid }
