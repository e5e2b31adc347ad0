// Package confine takes from a process everything that it does not need: its
// environment, its user, descriptors, paths, ports and system calls.
//
//	report := confine.Harden(confine.Plan{Descriptors: 16, LastDescriptor: 3})
//
// A child of the service hardens itself before it reads anything that users wrote.
// The report names the guards that this system does not have.
package confine
