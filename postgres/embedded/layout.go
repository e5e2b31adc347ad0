package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// maxSocketFolder is the longest path of a socket folder, in bytes: with its name, a
// socket's path may have 104 bytes on the BSDs and 108 on Linux.
const maxSocketFolder = 85

// Role is the PostgreSQL role of the service. It owns the database and everything in it,
// and has no other rights.
const Role = "ballast_service"

const (
	port       = "5432"    // part of the socket's name alone
	superuser  = "ballast" // made by initdb; this package alone connects as it
	database   = "ballast"
	socketName = ".s.PGSQL." + port
)

// layout holds the paths of a data folder's server.
type layout struct {
	root   string // DIR/postgres
	data   string
	socket string // folder of the socket
	log    string
	lock   string
	temp   bool // the socket's folder is outside the data folder
}

func layoutOf(dir string) (layout, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, fmt.Errorf("data folder %q: %w", dir, err)
	}
	root := filepath.Join(abs, "postgres")
	l := layout{
		root:   root,
		data:   filepath.Join(root, "data"),
		socket: filepath.Join(root, "run"),
		log:    filepath.Join(root, "postgres.log"),
		lock:   filepath.Join(root, "lock"),
	}
	if len(l.socket) > maxSocketFolder {
		sum := sha256.Sum256([]byte(root))
		l.socket = filepath.Join(os.TempDir(), "ballast-"+hex.EncodeToString(sum[:8]))
		l.temp = true
	}
	return l, nil
}

// dsn is a user's connection string for a server whose socket is in the folder.
func dsn(socketFolder, user string) string {
	u := url.URL{Scheme: "postgres", User: url.User(user), Path: "/" + database}
	u.RawQuery = url.Values{"host": {socketFolder}, "port": {port}}.Encode()
	return u.String()
}

// prepare creates the folders that belong to the server's user.
func (l layout) prepare(u owner) error {
	if err := os.MkdirAll(filepath.Dir(l.root), 0o700); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	if err := privateFolder(l.root, u); err != nil {
		return err
	}
	if l.temp && u.drop && foreign(l.socket, u) {
		// In a shared folder, a socket folder of a former owner or of a stranger may
		// contain anything.
		if err := os.RemoveAll(l.socket); err != nil {
			return fmt.Errorf("remove another user's socket folder: %w", err)
		}
	}
	return privateFolder(l.socket, u)
}

// foreign reports whether dir exists but is not a folder of the owner.
func foreign(dir string, u owner) bool {
	info, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	uid, _ := ownerOf(info)
	return !info.IsDir() || uid != u.uid
}

// privateFolder creates dir with permissions for its owner alone. Unless the process is
// root, it refuses a folder of another user.
func privateFolder(dir string, u owner) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make folder: %w", err)
	}
	if u.drop {
		if err := os.Lchown(dir, u.uid, u.gid); err != nil {
			return fmt.Errorf("change the owner of %s to the database's user: %w", dir, err)
		}
	}
	if foreign(dir, u) {
		return fmt.Errorf("%s is not a folder owned by user id %d, which runs the database; remove it, or start ballast as its owner", dir, u.uid)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("restrict the folder to its owner: %w", err)
	}
	return nil
}
