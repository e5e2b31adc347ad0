// Package sandbox runs scripts in separate processes that can neither read files
// nor reach a network, within limits that the kernel and the interpreter enforce.
//
//	pool, err := sandbox.NewPool(ctx, sandbox.Config{Command: []string{"/proc/self/exe", "sandbox"}, Size: 2})
//	outcome, err := pool.Run(ctx, sandbox.Job{Source: text, Inputs: inputs.Map(), Frame: frame})
//
// A Pool keeps warm children of the same binary (`ballast sandbox`, which runs
// Main). Run sends a child a script, its bound inputs and a frame in sealed shared
// memory. It receives the columns of the result and builds the two tables from
// them. Nothing that a child sends is trusted: the sizes are known before anything
// is read, the columns are plain numbers, and the numbers are checked against the
// frame and each other before they are used.
//
// Before a child reads a script, it gives up its environment, its user, every
// descriptor except the socket, all paths and ports (landlock), and all system
// calls except those that Go's runtime makes on memory, time, threads and that
// socket (seccomp). Pool.Guards returns which of these guards the system supports.
//
// A run that exceeds its steps, its deadline or its memory ends with an error that
// names the limit. The child is first asked to stop, then killed by its parent,
// and as a last resort by the kernel. A child that was killed or sent an invalid
// message is replaced without affecting other runs. On systems other than Linux
// the processes are separate too, but the guards are missing.
package sandbox
