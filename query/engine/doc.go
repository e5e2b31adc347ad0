// Package engine runs one SQL statement in a process of its own, which can open
// nothing but the files that it was given.
//
//	pool := engine.NewPool(engine.Config{Command: []string{"/proc/self/exe", "query-engine"}, Dir: dir})
//	answer, err := pool.Run(ctx, &engine.Order{SQL: "SELECT 1", Limits: limits})
//	defer answer.Close()
//	for answer.Next() {
//		use(answer.Batch())
//	}
//	err = answer.Err()
//
// A child is the same binary (`ballast query-engine`, whose whole work is Main) with
// a DuckDB in memory. It reads one order: the statement, the files that it may open,
// small tables as Arrow, and limits. Then it gives up everything else (package
// confine), and DuckDB's own external access, extensions and settings are locked.
// The statement is parsed by DuckDB, and its tree may name only the tables and
// functions that the order lists, so that nothing else is ever bound. The answer
// leaves as an Arrow stream in frames on the child's standard output, and the last
// frame says how it ended: a part is never taken for the whole.
//
// A child serves one order. The pool keeps some started ahead, and ends a child
// whose caller has left or whose time is over.
package engine
