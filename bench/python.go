package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNoPython is the error if python3 is not on the PATH.
var ErrNoPython = errors.New("no python3 on the PATH")

// PreparePython returns an interpreter that has the packages of a requirements
// file: a virtual environment in the user's cache folder, made on first use
// and again when the file changes. Making one downloads the packages.
func PreparePython(ctx context.Context, requirements string, progress io.Writer) (interpreter string, err error) {
	system, err := exec.LookPath("python3")
	if err != nil {
		return "", ErrNoPython
	}
	text, err := os.ReadFile(filepath.Clean(requirements))
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	dir := filepath.Join(cache, "ballast", "peers-"+hex.EncodeToString(sum[:6]))
	interpreter, done := filepath.Join(dir, "bin", "python3"), filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return interpreter, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	fmt.Fprintf(progress, "installing the peers into %s (once)\n", dir)
	for _, cmd := range []*exec.Cmd{
		exec.CommandContext(ctx, system, "-m", "venv", "--clear", dir),
		exec.CommandContext(ctx, interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements),
	} {
		if _, err := output(cmd); err != nil {
			return "", fmt.Errorf("install the peers: %w", err)
		}
	}
	return interpreter, os.WriteFile(done, nil, 0o600)
}
