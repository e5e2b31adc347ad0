// Package service wires a process together: it has the configuration, in groups
// whose flags commands bind, opens the storage, and runs the service or a worker.
//
//	c := service.Default()
//	service.Bind(cmd.Flags(), c.ForService()...)
//	...
//	err := service.Serve(ctx, c, log, func(url string) { ... })
//
// A command that only reads or writes state opens the Storage by itself. Tests
// that hold a service in their own process make its REST interface with NewHandler.
// Errors of settings that cannot be used are *Invalid, and nothing was begun.
package service
