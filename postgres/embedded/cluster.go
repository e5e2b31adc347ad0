package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// hostAccess admits everyone who can enter the socket's folder, and nobody else.
const hostAccess = "# The permissions of the socket's folder control access: only its owner can enter it.\nlocal all all trust\n"

// clusterMajor returns the major version that created the cluster, or 0 if there is none.
func clusterMajor(data string) (int, error) {
	b, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(data); err == nil {
			return 0, fmt.Errorf("%s is not a PostgreSQL cluster: it has no PG_VERSION; move it away to start a new one", data)
		}
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the cluster's version: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fmt.Errorf("read the cluster's version: %w", err)
	}
	return major, nil
}

// makeCluster runs initdb in a folder beside the cluster's and renames it, so that a
// cluster is either whole or absent.
func makeCluster(ctx context.Context, l layout, b binaries, u owner, sync bool) error {
	if err := removeHalfMade(ctx, l); err != nil {
		return err
	}
	half, err := os.MkdirTemp(l.root, "init-")
	if err != nil {
		return fmt.Errorf("create the folder for initdb: %w", err)
	}
	defer func() { _ = os.RemoveAll(half) }() // nothing is left there after the rename
	if u.drop {
		if err := os.Chown(half, u.uid, u.gid); err != nil {
			return fmt.Errorf("change the owner of %s to the database's user: %w", half, err)
		}
	}
	args := []string{
		"--pgdata", half, "--username", superuser, "--auth", "trust",
		"--encoding", "UTF8", "--no-locale", "--data-checksums", "--no-instructions",
	}
	if !sync {
		args = append(args, "--no-sync")
	}
	cmd, err := command(ctx, l, u, b.initdb, args...)
	if err != nil {
		return err
	}
	// Linux sends the parent-death signal when the thread that started the child ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb in %s: %w\n%s", half, err, out)
	}
	if err := os.WriteFile(filepath.Join(half, "pg_hba.conf"), []byte(hostAccess), 0o600); err != nil {
		return fmt.Errorf("write the cluster's access rules: %w", err)
	}
	if err := os.Rename(half, l.data); err != nil {
		return fmt.Errorf("move the cluster into place: %w", err)
	}
	return syncFolder(l.root)
}

// Programs that a killed initdb had started may go on writing for a moment.
const (
	halfMadeTries = 100
	halfMadePause = 50 * time.Millisecond
)

// removeHalfMade removes the folders that a killed initdb left.
func removeHalfMade(ctx context.Context, l layout) error {
	left, err := filepath.Glob(filepath.Join(l.root, "init-*"))
	if err != nil {
		return fmt.Errorf("find incomplete clusters: %w", err)
	}
	for _, dir := range left {
		err := os.RemoveAll(dir)
		for try := 1; errors.Is(err, syscall.ENOTEMPTY) && try < halfMadeTries; try++ {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(halfMadePause):
			}
			err = os.RemoveAll(dir)
		}
		if err != nil {
			return fmt.Errorf("remove half-made cluster: %w", err)
		}
	}
	return nil
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}
