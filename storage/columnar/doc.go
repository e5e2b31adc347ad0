// Package columnar keeps immutable columnar objects: a bucket, which is a local
// folder or an object store, and Parquet files written from and read into Arrow
// memory.
//
//	bucket, err := columnar.OpenBucket(ctx, "/var/lib/ballast/bucket", columnar.BucketOptions{})
//	err = bucket.Put(ctx, "runs/ab/daily.parquet", func(w io.Writer) error {
//		return columnar.WriteParquet(w, record, columnar.WriteOptions{})
//	})
//	path, err := bucket.Path(ctx, "runs/ab/daily.parquet") // for DuckDB or any engine
//	file, err := columnar.OpenParquet(path)
//	record, err := file.Read([]string{"date", "return"}, columnar.All)
//
// An object is durable when Put returns, and readers see all of it or nothing.
// Whoever names an object elsewhere, such as in a database row, does so after
// Put; what a killed writer leaves behind shows in List.
package columnar
