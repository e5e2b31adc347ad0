// Package sandbox runs scripts in processes of their own, which can neither read
// files nor reach a network, and within limits that the kernel and the
// interpreter keep.
//
// A Pool keeps warm children of the same binary (`ballast sandbox`, whose whole
// work is Main). Run hands a child a script, its bound inputs and a frame, as
// sealed shared memory, and takes back the two result tables as Arrow. Whatever
// a child sends is untrusted: it is bounded, decoded with care and checked
// against the frame before it counts.
package sandbox
