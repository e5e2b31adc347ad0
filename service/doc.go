// Package service wires a process together: it holds the configuration, in groups
// whose flags commands bind, opens the storage, and runs the service or a worker.
//
//	c := service.Default()
//	service.Bind(cmd.Flags(), c.ForService()...)
//	...
//	err := service.Serve(ctx, c, log, func(url string) { ... })
//
// A command that only reads or writes state opens the Storage itself. Tests that run
// a service in their own process create its REST interface with NewHandler. Errors
// for settings that cannot be used are *Invalid; nothing was started then.
package service
