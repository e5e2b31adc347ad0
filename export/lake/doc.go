// Package lake publishes results as Apache Iceberg tables, which Spark, Trino,
// Snowflake, DuckDB and pandas read without the service.
//
//	publisher := &lake.Publisher{Runs: db, Pages: db, Lock: db, Bucket: bucket, Place: place, Logger: log, Now: time.Now}
//	err := publisher.Publish(ctx)
//
// A table lies under lake/ACCOUNT/TABLE in the bucket, in the layout of a Hadoop
// catalog, so that an account's folder can be handed out alone. It has the live runs
// of the account's models and nothing of another account.
//
// Models are spread over files by their ids. A publication writes the files of
// which a model serves another run, and makes one snapshot of each changed table;
// without a change it makes none. What a killed publication has written is used by
// the next one, or deleted after a day.
package lake
