package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"ballast/internal/sysuser"
)

// databaseUsers are the users that may run the database of a service that runs as root,
// in order of preference.
var databaseUsers = []string{"postgres", "nobody"}

// owner is the system user that runs the server and owns its files.
type owner struct {
	uid, gid int
	drop     bool // the process is root, and starts the server as this user
}

// ownerFor picks the user: the process's own, unless that is root; then the owner of an
// existing cluster, or the first of names that the system has. It is never the sandbox's
// user, who could read the server's memory and send it signals.
func ownerFor(l layout, names ...string) (owner, error) {
	if uid := os.Geteuid(); uid != 0 {
		return owner{uid: uid, gid: os.Getegid()}, nil
	}
	info, err := os.Stat(l.data)
	switch {
	case err == nil:
		uid, gid := ownerOf(info)
		if uid == 0 {
			return owner{}, fmt.Errorf("%s belongs to root, but PostgreSQL does not run as root; give the folder to another user: chown -R nobody %s", l.data, l.root)
		}
		if uid == sysuser.Sandbox {
			return owner{}, fmt.Errorf("%s belongs to user id %d, which runs the scripts of models and must not reach the database; give the folder to another user: chown -R nobody %s", l.data, uid, l.root)
		}
		return owner{uid: uid, gid: gid, drop: true}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return owner{}, fmt.Errorf("check the cluster's owner: %w", err)
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uerr := strconv.Atoi(u.Uid)
		gid, gerr := strconv.Atoi(u.Gid)
		if uerr == nil && gerr == nil && uid != 0 && uid != sysuser.Sandbox {
			return owner{uid: uid, gid: gid, drop: true}, nil
		}
	}
	return owner{}, errors.New("PostgreSQL does not run as root, and this system has neither a user postgres nor nobody; add one (useradd --system postgres), or start as another user")
}

// ownerOf returns the owner of a file.
func ownerOf(info fs.FileInfo) (uid, gid int) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1, -1
	}
	return int(st.Uid), int(st.Gid)
}
