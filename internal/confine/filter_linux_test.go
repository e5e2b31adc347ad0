package confine

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// TestFilter runs the filter in user space. The virtual machine there reads words in
// network byte order, so the test writes calls in that order.
func TestFilter(t *testing.T) {
	const pid = 4711
	raw, err := filter(pid, false)
	if err != nil {
		t.Skip(err)
	}
	program, ok := bpf.Disassemble(raw)
	if !ok {
		t.Fatal("the filter does not disassemble")
	}
	vm, err := bpf.NewVM(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		arch uint32
		call uint32
		args [4]uint32
		want uint32
	}{
		{"read", machine, unix.SYS_READ, [4]uint32{}, allow},
		{"exit", machine, unix.SYS_EXIT_GROUP, [4]uint32{}, allow},
		{"another machine", machine + 1, unix.SYS_READ, [4]uint32{}, kill},
		{"another convention", machine, unix.SYS_READ | 0x40000000, [4]uint32{}, refuse},
		{"open", machine, unix.SYS_OPENAT, [4]uint32{}, refuse},
		{"socket", machine, unix.SYS_SOCKET, [4]uint32{}, refuse},
		{"connect", machine, unix.SYS_CONNECT, [4]uint32{}, refuse},
		{"sendmsg", machine, unix.SYS_SENDMSG, [4]uint32{}, refuse},
		{"execve", machine, unix.SYS_EXECVE, [4]uint32{}, refuse},
		{"ptrace", machine, unix.SYS_PTRACE, [4]uint32{}, refuse},
		{"bpf", machine, unix.SYS_BPF, [4]uint32{}, refuse},
		{"process_vm_readv", machine, unix.SYS_PROCESS_VM_READV, [4]uint32{}, refuse},
		{"clone3", machine, unix.SYS_CLONE3, [4]uint32{}, absent},
		{"thread", machine, unix.SYS_CLONE, [4]uint32{unix.CLONE_VM | unix.CLONE_THREAD}, allow},
		{"process", machine, unix.SYS_CLONE, [4]uint32{uint32(unix.SIGCHLD)}, refuse},
		{"namespace", machine, unix.SYS_CLONE, [4]uint32{unix.CLONE_THREAD | unix.CLONE_NEWUSER}, refuse},
		{"memory", machine, unix.SYS_MMAP, [4]uint32{0, 0, unix.PROT_READ | unix.PROT_WRITE, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS}, allow},
		{"code", machine, unix.SYS_MMAP, [4]uint32{0, 0, unix.PROT_READ | unix.PROT_EXEC}, refuse},
		{"frame", machine, unix.SYS_MMAP, [4]uint32{0, 0, unix.PROT_READ, unix.MAP_SHARED | unix.MAP_POPULATE}, allow},
		{"shared memory", machine, unix.SYS_MMAP, [4]uint32{0, 0, unix.PROT_READ, unix.MAP_SHARED | unix.MAP_ANONYMOUS}, refuse},
		{"shared memory, validated", machine, unix.SYS_MMAP, [4]uint32{0, 0, unix.PROT_READ, unix.MAP_SHARED_VALIDATE | unix.MAP_ANONYMOUS}, refuse},
		{"shared memory segment", machine, unix.SYS_SHMGET, [4]uint32{}, refuse},
		{"made code", machine, unix.SYS_MPROTECT, [4]uint32{0, 0, unix.PROT_EXEC}, refuse},
		{"own signal", machine, unix.SYS_TGKILL, [4]uint32{pid}, allow},
		{"signal", machine, unix.SYS_TGKILL, [4]uint32{1}, refuse},
		{"name of memory", machine, unix.SYS_PRCTL, [4]uint32{unix.PR_SET_VMA}, allow},
		{"dumpable", machine, unix.SYS_PRCTL, [4]uint32{unix.PR_SET_DUMPABLE}, refuse},
		{"own memory", machine, unix.SYS_PRLIMIT64, [4]uint32{0, unix.RLIMIT_AS}, allow},
		{"own time", machine, unix.SYS_PRLIMIT64, [4]uint32{0, unix.RLIMIT_CPU}, allow},
		{"own files", machine, unix.SYS_PRLIMIT64, [4]uint32{0, unix.RLIMIT_NOFILE}, refuse},
		{"another's memory", machine, unix.SYS_PRLIMIT64, [4]uint32{1, unix.RLIMIT_AS}, refuse},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := make([]byte, 64)
			binary.BigEndian.PutUint32(data[offsetCall:], c.call)
			binary.BigEndian.PutUint32(data[offsetArch:], c.arch)
			for i, a := range c.args {
				binary.BigEndian.PutUint32(data[offsetArgs+8*i:], a)
			}
			got, err := vm.Run(data)
			if err != nil {
				t.Fatal(err)
			}
			if uint32(got) != c.want {
				t.Errorf("%#x instead of %#x", got, c.want)
			}
		})
	}
}
