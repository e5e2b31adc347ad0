// Package engine runs one SQL statement in a process of its own, which can open
// only the files that it was given.
//
//	pool := engine.NewPool(engine.Config{Command: []string{"/proc/self/exe", "query-engine"}, Dir: dir})
//	answer, err := pool.Run(ctx, &engine.Order{SQL: "SELECT 1", Limits: limits})
//	defer answer.Close()
//	for answer.Next() {
//		use(answer.Batch())
//	}
//	err = answer.Err()
//
// A child is the same binary (`ballast query-engine`, which calls child.Main) with a
// DuckDB in memory. It reads one order: the statement, the files that it may open,
// small tables as Arrow, and limits. Then it drops every other right (package
// confine), and locks DuckDB's own external access, extensions and settings. DuckDB
// parses the statement, whose tree may name only the tables and functions that the
// order lists, so nothing else is ever bound. The answer is an Arrow stream in frames
// on the child's standard output. The last frame says how it ended, so that a reader
// never mistakes a part of an answer for the whole.
//
// A child serves one order. The pool starts some ahead, and ends a child whose caller
// has left or whose time is up.
package engine
