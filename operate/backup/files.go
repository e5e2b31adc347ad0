package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"syscall"
)

// openRegular opens a regular file of the backup's folder. A symbolic link, or
// anything else that could lead elsewhere or block, is refused.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the backup is damaged: %s is not a regular file", name)
	}
	// The file may have changed since the check, and opening a pipe must not block.
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(fmt.Errorf("%s was replaced while the backup was being read", name), err, f.Close())
	}
	return f, nil
}

// openSized opens a file, and refuses it if its size differs from the manifest's.
func openSized(root *os.Root, name string, want File) (*os.File, error) {
	f, err := openRegular(root, name)
	if err != nil {
		return nil, fmt.Errorf("the backup is damaged: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() != want.Bytes {
		err = fmt.Errorf("the backup is damaged: %s has %d bytes, but the manifest says %d", name, info.Size(), want.Bytes)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// summed reads a file. At its end it fails if size or checksum differ from the
// manifest's.
type summed struct {
	ctx  context.Context
	name string
	r    io.Reader
	n    int64
	sum  hash.Hash
	want File
}

func newSummed(ctx context.Context, f *os.File, want File) *summed {
	return &summed{ctx: ctx, name: f.Name(), r: io.LimitReader(f, want.Bytes+1), sum: sha256.New(), want: want}
}

func (s *summed) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(b)
	s.n += int64(n)
	s.sum.Write(b[:n])
	if errors.Is(err, io.EOF) {
		if got := (File{Bytes: s.n, SHA256: hex.EncodeToString(s.sum.Sum(nil))}); got != s.want {
			return n, fmt.Errorf("the backup is damaged: %s has %d bytes with checksum %s, but the manifest says %d bytes with %s", s.name, got.Bytes, got.SHA256, s.want.Bytes, s.want.SHA256)
		}
	}
	return n, err
}

// verifyFile reads a whole file and compares it with the manifest.
func verifyFile(ctx context.Context, root *os.Root, name string, want File) error {
	f, err := openSized(root, name, want)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(io.Discard, newSummed(ctx, f, want))
	return err
}
