// Package sandbox runs scripts in processes of their own, which can neither read
// files nor reach a network, and within limits that the kernel and the
// interpreter keep.
//
//	pool, err := sandbox.NewPool(ctx, sandbox.Config{Command: []string{"/proc/self/exe", "sandbox"}, Size: 2})
//	outcome, err := pool.Run(ctx, sandbox.Job{Source: text, Inputs: inputs.Map(), Frame: frame})
//
// A Pool keeps warm children of the same binary (`ballast sandbox`, whose whole
// work is Main). Run hands a child a script, its bound inputs and a frame, as
// sealed shared memory, and takes back the columns of the result, of which it
// makes the two tables. Whatever a child sends is untrusted: the sizes are
// known before anything is read, the columns have no structure of their own,
// and the numbers are checked against the frame and each other before they
// count.
//
// A child gives up, before it reads a script, its environment, its user, every
// descriptor but the socket, paths and ports (landlock), and all system calls
// but those of Go's runtime on memory, time, threads and that socket (seccomp).
// Pool.Guards tells which of these guards the system has.
//
// A run ends by its steps in the interpreter, its deadline or its memory, with
// the limit's name: the child is asked first, and killed by its parent, or in
// the end by the kernel. A child that is killed or sends what it should not is
// replaced, and others do not notice. Where the system is not Linux the
// processes are separate, and the guards are missing.
package sandbox
