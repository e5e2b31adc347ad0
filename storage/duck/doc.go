// Package duck runs SQL over columnar files in one DuckDB inside the process.
//
//	db, err := duck.Open(ctx, duck.Config{MemoryLimit: 1 << 30, TempDir: dir})
//	records, err := db.Query(ctx, `SELECT date, "return" FROM read_parquet(?)`, path)
//
// Results are Arrow records. Values go into statements as arguments. Where SQL takes no
// argument, use Ident and Literal, and never concatenate strings. No extension is ever
// loaded or installed, so nothing reads from a network, and the configuration is locked
// once the database is open.
//
// DuckDB's Arrow interface needs the build tag duckdb_arrow.
package duck
