package embedded

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Tool finds a program of PostgreSQL beside its server's (pg_restore) that is of a major version at least, and gives the command with the
// environment of such programs. ErrNoBinaries.
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
