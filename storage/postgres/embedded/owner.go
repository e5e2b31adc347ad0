package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// owner is the system user that runs the server and owns its files.
type owner struct {
	uid, gid int
	drop     bool // the process is another user (root) and becomes this one
}

// ownerFor picks the user: the process's own, unless that is root; then the
// owner of the cluster that is there, else postgres, else nobody.
func ownerFor(l layout) (owner, error) {
	if uid := os.Geteuid(); uid != 0 {
		return owner{uid: uid, gid: os.Getegid()}, nil
	}
	info, err := os.Stat(l.data)
	switch {
	case err == nil:
		uid, gid := ownerOf(info)
		if uid == 0 {
			return owner{}, fmt.Errorf("%s belongs to root, and PostgreSQL does not run as root; give it and what it holds to another user: chown -R nobody %s", l.data, l.root)
		}
		return owner{uid: uid, gid: gid, drop: true}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return owner{}, fmt.Errorf("look at cluster: %w", err)
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uerr := strconv.Atoi(u.Uid)
		gid, gerr := strconv.Atoi(u.Gid)
		if uerr == nil && gerr == nil && uid != 0 {
			return owner{uid: uid, gid: gid, drop: true}, nil
		}
	}
	return owner{}, errors.New("PostgreSQL does not run as root, and this system has neither a user postgres nor nobody; add one (useradd --system postgres), or start as another user")
}

// ownerOf reads who owns a file.
func ownerOf(info fs.FileInfo) (uid, gid int) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1, -1
	}
	return int(st.Uid), int(st.Gid)
}
