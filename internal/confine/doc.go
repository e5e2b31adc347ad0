// Package confine takes from a process what it must not have: its environment, its
// user, descriptors, paths, ports and system calls.
//
//	report := confine.Harden(confine.Plan{Descriptors: 16, LastDescriptor: 3})
//
// A child of the service hardens itself before it reads anything that users wrote.
// The report names the guards that this system does not give.
package confine
