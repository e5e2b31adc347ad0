package embedded

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Tool returns the command for one of PostgreSQL's programs (such as pg_restore) of at
// least a major version, found beside the server's programs, with the environment for it.
// The error is ErrNoBinaries if there is none.
func Tool(ctx context.Context, name string, major int, args ...string) (*exec.Cmd, error) {
	for _, folder := range binaryFolders() {
		path := filepath.Join(folder, name)
		if !executable(path) {
			continue
		}
		if m, err := majorOf(ctx, path); err != nil || m < major {
			continue
		}
		cmd := exec.CommandContext(ctx, path, args...)
		cmd.Env = environment()
		return cmd, nil
	}
	return nil, fmt.Errorf("%w: there is no %s of version %d or newer; %s", ErrNoBinaries, name, major, installHint(runtime.GOOS))
}
