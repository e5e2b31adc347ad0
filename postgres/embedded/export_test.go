package embedded

import (
	"context"
	"net"
	"path/filepath"
	"time"
)

// For tests of the package from outside.
var (
	OwnerOf     = ownerOf
	CommandLine = commandLine
)

// StartLeftover starts the folder's server as a dead service leaves it on a system
// without parent-death signals: without a lock and without a Server.
func StartLeftover(ctx context.Context, dir string) (pid int, err error) {
	l, err := layoutOf(dir)
	if err != nil {
		return 0, err
	}
	u, err := ownerFor(l, databaseUsers...)
	if err != nil {
		return 0, err
	}
	b, err := findBinaries(ctx, binaryFolders(), 0)
	if err != nil {
		return 0, err
	}
	cmd, err := command(ctx, l, u, b.postgres, append([]string{"-D", l.data}, settings(l, nil)...)...)
	if err != nil {
		return 0, err
	}
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go func() { _ = cmd.Wait() }()
	for ctx.Err() == nil {
		conn, err := net.Dial("unix", filepath.Join(l.socket, socketName))
		if err == nil {
			return cmd.Process.Pid, conn.Close()
		}
		time.Sleep(5 * time.Millisecond)
	}
	return 0, ctx.Err()
}
