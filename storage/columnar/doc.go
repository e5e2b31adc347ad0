// Package columnar stores immutable columnar objects in a bucket, which is a local folder
// or an object store, and writes and reads Parquet files from and to Arrow memory.
//
//	bucket, err := columnar.OpenBucket(ctx, "/var/lib/ballast/bucket", columnar.BucketOptions{})
//	err = bucket.Put(ctx, "runs/ab/daily.parquet", func(w io.Writer) error {
//		return columnar.WriteParquet(w, record, columnar.WriteOptions{})
//	})
//	path, err := bucket.Path(ctx, "runs/ab/daily.parquet") // for DuckDB or any engine
//	file, err := columnar.OpenParquet(path)
//	record, err := file.Read([]string{"date", "return"}, columnar.All)
//
// An object is durable when Put returns, and readers see all of it or nothing. Record an
// object's key elsewhere, such as in a database row, only after Put. List also shows what
// a killed writer has left.
package columnar
