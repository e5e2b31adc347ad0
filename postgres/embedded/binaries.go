package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// oldestMajor is the oldest supported PostgreSQL.
const oldestMajor = 14

// ErrNoBinaries is in the chain of Start's error if PostgreSQL is not installed. The
// error's text says what to install.
var ErrNoBinaries = errors.New("PostgreSQL's programs initdb and postgres are not installed")

// binaries are the two programs of one PostgreSQL installation.
type binaries struct {
	initdb, postgres string
	major            int
}

// places are the folders besides the PATH in which systems install PostgreSQL's programs.
var places = []string{
	"/usr/lib/postgresql/*/bin",          // Debian, Ubuntu
	"/usr/pgsql-*/bin",                   // PostgreSQL's own packages for Red Hat
	"/usr/libexec/postgresql*",           // Alpine
	"/opt/homebrew/opt/postgresql@*/bin", // Homebrew, Apple silicon
	"/usr/local/opt/postgresql@*/bin",    // Homebrew, Intel
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
	"/usr/local/pgsql/bin", // built from source
	"/opt/postgresql/*/bin",
	"/usr/bin",
}

// findBinaries finds the programs. For an existing cluster they must have the given major
// version; for a new one (major 0) it prefers those on the PATH, then the newest.
func findBinaries(ctx context.Context, folders []string, major int) (binaries, error) {
	var seen []string
	for _, folder := range folders {
		b := binaries{initdb: filepath.Join(folder, "initdb"), postgres: filepath.Join(folder, "postgres")}
		if !executable(b.initdb) || !executable(b.postgres) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return binaries{}, fmt.Errorf("look for PostgreSQL: %w", err)
		}
		var err error
		if b.major, err = majorOf(ctx, b.postgres); err != nil {
			seen = append(seen, fmt.Sprintf("an unusable installation (%v)", err))
			continue
		}
		if b.major == major || (major == 0 && b.major >= oldestMajor) {
			return b, nil
		}
		seen = append(seen, fmt.Sprintf("%d (%s)", b.major, folder))
	}
	switch {
	case len(seen) == 0:
		return binaries{}, fmt.Errorf("%w; %s", ErrNoBinaries, installHint(runtime.GOOS))
	case major == 0:
		return binaries{}, fmt.Errorf("PostgreSQL %s is too old; version %d or newer is needed: %s", strings.Join(seen, ", "), oldestMajor, installHint(runtime.GOOS))
	}
	return binaries{}, fmt.Errorf("the data folder's cluster was created by PostgreSQL %d, but this machine has %s; install version %d, or upgrade the cluster with pg_upgrade", major, strings.Join(seen, ", "), major)
}

// binaryFolders lists where to look, best first, each folder once.
func binaryFolders() []string {
	folders := filepath.SplitList(os.Getenv("PATH"))
	for _, pattern := range places {
		found, _ := filepath.Glob(pattern) // fails only on a malformed pattern
		slices.SortFunc(found, func(a, b string) int { return versionIn(b) - versionIn(a) })
		folders = append(folders, found...)
	}
	var out []string
	for _, f := range folders {
		if real, err := filepath.EvalSymlinks(filepath.Join(f, "postgres")); err == nil {
			f = filepath.Dir(real)
		}
		if filepath.IsAbs(f) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// versionIn reads the first number of a path, so that 9 sorts before 17.
func versionIn(path string) int {
	digits := strings.FieldsFunc(path, func(r rune) bool { return r < '0' || r > '9' })
	if len(digits) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(digits[0])
	return n
}

// majorOf runs the program with --version: "postgres (PostgreSQL) 15.18 (Debian …)".
func majorOf(ctx context.Context, postgres string) (int, error) {
	cmd := exec.CommandContext(ctx, postgres, "--version")
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s --version: %w", postgres, err)
	}
	major, err := parseMajor(string(out))
	if err != nil {
		return 0, fmt.Errorf("%s --version: %w", postgres, err)
	}
	return major, nil
}

func parseMajor(version string) (int, error) {
	_, after, _ := strings.Cut(version, "(PostgreSQL) ")
	digits := strings.TrimLeft(after, "0123456789")
	major, err := strconv.Atoi(after[:len(after)-len(digits)])
	if err != nil {
		return 0, fmt.Errorf("no version number in %q", strings.TrimSpace(version))
	}
	return major, nil
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// installHint describes how to install PostgreSQL on the system.
func installHint(goos string) string {
	if goos == "darwin" {
		return "install them: brew install postgresql@17 (or set --database-url to use your own server)"
	}
	return "install them: apt-get install postgresql (Debian, Ubuntu), dnf install postgresql-server (Fedora, Red Hat), apk add postgresql (Alpine), brew install postgresql@17 (Homebrew); or set --database-url to use your own server"
}
