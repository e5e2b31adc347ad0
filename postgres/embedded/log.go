package embedded

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// maxLog is the size in bytes above which the server's log is emptied.
const maxLog = 16 << 20

// maxTail is the most that an error of Start quotes of the log, in bytes.
const maxTail = 4 << 10

// openLog opens the server's log for appending, so that the running server writes from
// the start again after the log was emptied.
func openLog(path string) (*os.File, error) {
	if err := limitLog(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the database's log: %w", err)
	}
	return f, nil
}

// limitLog empties a log that has grown too long.
func limitLog(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("check the size of the database's log: %w", err)
	}
	if info.Size() <= maxLog {
		return nil
	}
	if err := os.Truncate(path, 0); err != nil {
		return fmt.Errorf("truncate the database's log: %w", err)
	}
	return nil
}

// watch keeps the log short, and logs when the server ends.
func (s *Server) watch() {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			s.logger.Info("database ended", "dir", s.layout.root, "exit", s.cmd.ProcessState.String())
			return
		case <-tick.C:
			if err := limitLog(s.layout.log); err != nil {
				s.logger.Warn("database log", "error", err)
			}
		}
	}
}

// tail reads the log from an offset, and at most its last maxTail bytes.
func tail(path string, from int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		from = max(from, info.Size()-maxTail)
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return ""
	}
	b, _ := io.ReadAll(io.LimitReader(f, maxTail))
	return strings.TrimSpace(string(b))
}
