package embedded

import (
	"maps"
	"slices"
)

// settings suit one service on a small machine. They are given on the command line, so
// that a newer version of the service can change them.
func settings(l layout, extra map[string]string) []string {
	s := map[string]string{
		"listen_addresses":        "",
		"port":                    port,
		"unix_socket_directories": quoteList(l.socket),
		"unix_socket_permissions": "0700",
		"max_connections":         "100",

		"shared_buffers":                  "64MB",
		"effective_cache_size":            "512MB",
		"work_mem":                        "8MB",
		"maintenance_work_mem":            "32MB",
		"jit":                             "off",
		"max_parallel_workers_per_gather": "0",
		"autovacuum_max_workers":          "2",
		// A new installation has no statistics for the planner until autovacuum has run.
		"autovacuum_naptime": "10s",
		"random_page_cost":   "1.1",

		"fsync":              "on",
		"synchronous_commit": "on",
		"full_page_writes":   "on",
		// There is no replication, and minimal logging writes less.
		"wal_level":       "minimal",
		"max_wal_senders": "0",
		// Limits the time that recovery takes after a kill.
		"max_wal_size": "256MB",
		"min_wal_size": "32MB",

		"timezone":          "UTC",
		"log_timezone":      "UTC",
		"log_destination":   "stderr",
		"logging_collector": "off",
		"log_line_prefix":   "%m [%p] ",
		"log_min_messages":  "error",
		"log_checkpoints":   "off",
	}
	maps.Copy(s, extra)
	var args []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		args = append(args, "-c", name+"="+s[name])
	}
	return args
}

// quoteList quotes one element of a setting that is a comma-separated list.
func quoteList(name string) string {
	out := []byte{'"'}
	for _, c := range []byte(name) {
		if c == '"' {
			out = append(out, c)
		}
		out = append(out, c)
	}
	return string(append(out, '"'))
}
