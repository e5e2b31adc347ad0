package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"

	"ballast/timeseries"
)

// childSocket is the descriptor of the child's end of the socket.
const childSocket = 3

// socketBuffer is large enough that a typical response does not wait for its
// reader.
const socketBuffer = 2 << 20

// sharedFrame is a frame in sealed memory, which nobody can change.
type sharedFrame struct {
	file *os.File
	size int64
}

// share writes f to memory and seals it.
func share(f *timeseries.Frame) (*sharedFrame, error) {
	return seal(func(w io.Writer) error { return timeseries.EncodeFrame(w, f) })
}

// seal returns sealed memory with what fill writes.
func seal(fill func(io.Writer) error) (*sharedFrame, error) {
	fd, err := unix.MemfdCreate("frame", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	s := &sharedFrame{file: os.NewFile(uintptr(fd), "frame")}
	if err := errors.Join(fill(s.file), s.seal()); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *sharedFrame) seal() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.size = info.Size()
	const seals = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(s.file.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		return fmt.Errorf("seal: %w", err)
	}
	return nil
}

// bytes returns the size of the frame.
func (s *sharedFrame) bytes() uint64 { return uint64(s.size) }

func (s *sharedFrame) close() { s.file.Close() }

// link is the parent's end of the connection to a child.
type link struct {
	*net.UnixConn
	end *os.File // the child's
}

// connect creates both ends and passes the child's end to cmd.
func connect(cmd *exec.Cmd) (*link, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("socketpair: %w", err)
	}
	for _, fd := range fds {
		// Best effort: with a smaller buffer a response takes more writes.
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_SNDBUF, socketBuffer)
	}
	own, end := os.NewFile(uintptr(fds[0]), "sandbox"), os.NewFile(uintptr(fds[1]), "sandbox child")
	defer own.Close()
	conn, err := net.FileConn(own) // FileConn duplicates the descriptor
	if err != nil {
		end.Close()
		return nil, fmt.Errorf("socketpair: %w", err)
	}
	cmd.ExtraFiles = []*os.File{end}
	return &link{conn.(*net.UnixConn), end}, nil
}

// started closes the parent's copy of the child's end after the child has started.
func (l *link) started() { l.end.Close() }

// quiet reports whether the child has sent nothing unread and has not closed
// its end.
func (l *link) quiet() bool {
	raw, err := l.SyscallConn()
	if err != nil {
		return false
	}
	var peeked error
	err = raw.Control(func(fd uintptr) {
		_, _, peeked = unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
	})
	return err == nil && errors.Is(peeked, unix.EAGAIN)
}

// send sends a request.
func (l *link) send(id uint64, m *message) error {
	b := header{id: id, control: uint32(len(m.control)), body: uint64(m.frame.size)}.bytes()
	rights := unix.UnixRights(int(m.frame.file.Fd()))
	n, _, err := l.WriteMsgUnix(append(b, m.control...), rights, nil)
	if err == nil && n < headerSize+len(m.control) {
		err = io.ErrShortWrite
	}
	return err
}

// socket is the child's end. It does not use the runtime's poller, which would need
// additional descriptors.
type socket struct{ fd int }

func childEnd() (*socket, error) {
	if _, err := unix.GetsockoptInt(childSocket, unix.SOL_SOCKET, unix.SO_TYPE); err != nil {
		return nil, fmt.Errorf("descriptor %d is not the pool's: this command is for ballast's own use: %w", childSocket, err)
	}
	unix.CloseOnExec(childSocket)
	return &socket{childSocket}, nil
}

func (s *socket) Read(b []byte) (int, error) {
	for {
		n, err := unix.Read(s.fd, b)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 0, err
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (s *socket) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		n, err := unix.Write(s.fd, b[done:])
		if err != nil && !errors.Is(err, unix.EINTR) {
			return done, err
		}
		done += max(n, 0)
	}
	return done, nil
}

// receive waits for a request and maps its frame, which is valid until release.
func (s *socket) receive() (id uint64, r request, release func(), err error) {
	var b [headerSize]byte
	rights := make([]byte, unix.CmsgSpace(4))
	var n, rn int
	for {
		n, rn, _, _, err = unix.Recvmsg(s.fd, b[:], rights, unix.MSG_CMSG_CLOEXEC)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return 0, r, nil, err
	}
	if n == 0 {
		return 0, r, nil, io.EOF
	}
	fd, err := descriptorOf(rights[:rn])
	if err != nil {
		return 0, r, nil, err
	}
	defer func() { _ = unix.Close(fd) }() // the mapping keeps the memory alive
	if _, err := io.ReadFull(s, b[n:]); err != nil {
		return 0, r, nil, err
	}
	h, err := headerOf(b[:])
	if err != nil {
		return 0, r, nil, err
	}
	if err := readControl(s, h, &r); err != nil {
		return 0, r, nil, err
	}
	data, err := unix.Mmap(fd, 0, int(h.body), unix.PROT_READ, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return 0, r, nil, fmt.Errorf("map the frame: %w", err)
	}
	if r.frame, err = timeseries.DecodeFrame(data); err != nil {
		return 0, r, nil, err
	}
	return h.id, r, func() { _ = unix.Munmap(data) }, nil
}

func descriptorOf(rights []byte) (int, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		return -1, fmt.Errorf("%d control messages instead of one: %w", len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return -1, fmt.Errorf("%d descriptors instead of one: %w", len(fds), err)
	}
	return fds[0], nil
}
