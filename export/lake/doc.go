// Package lake publishes results as Apache Iceberg tables, which Spark, Trino,
// Snowflake, DuckDB and pandas read without the service.
//
//	publisher := &lake.Publisher{Runs: db, Live: db, Lock: db, Bucket: bucket, Place: place, Logger: log}
//	published, err := publisher.Publish(ctx)
//
// A table is in the folder lake/ACCOUNT/TABLE of the bucket, in the layout of a Hadoop
// catalog, so an operator can give away one account's folder alone. It contains the
// live runs of the account's models and nothing of another account.
//
// Models are distributed among files by their ids. A publication rewrites only the
// files with a model that serves another run, and makes one snapshot of each changed
// table. Without a change it makes none. The next publication uses what a killed
// one has written, or deletes it after a day.
package lake
