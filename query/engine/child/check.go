package child

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ballast/query/engine"
)

// parsed is DuckDB's parse of a statement.
type parsed struct {
	Error      bool   `json:"error"`
	Message    string `json:"error_message"`
	Position   string `json:"position"`
	Statements []any  `json:"statements"`
}

// harmless are the table functions of DuckDB that read nothing.
var harmless = []string{"unnest", "range", "generate_series", "repeat_row", "json_each", "json_tree"}

// hidden are functions that reveal the process or its settings, or that write.
var hidden = []string{
	"current_setting", "getenv", "getvariable", "current_database", "current_schema", "current_schemas", "current_catalog",
	"write_log", "nextval", "currval", "txid_current", "parse_duckdb_log_message", "json_execute_serialized_sql", "json_serialize_plan",
	"query", "query_table", "which_secret", "set_config", "pg_get_viewdef", "sleep_ms",
}

// checked parses the statement with DuckDB, without running it, and fails if the tree
// names anything that the order does not list.
func checked(ctx context.Context, db *sql.Conn, o *engine.Order) error {
	if strings.TrimSpace(o.SQL) == "" {
		return invalid(0, "The statement is empty. Give one SELECT.")
	}
	if strings.ContainsRune(o.SQL, 0) {
		return invalid(0, "The statement has a zero byte.")
	}
	var text string
	row := db.QueryRowContext(ctx, "SELECT CAST(json_serialize_sql($1::VARCHAR) AS VARCHAR)", o.SQL)
	if err := row.Scan(&text); err != nil {
		return failureOf(err, nil)
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber() // a missing location is 2^64 - 1
	var tree parsed
	if err := d.Decode(&tree); err != nil {
		return invalid(0, "The statement has a number that is too large, or is nested too deeply.")
	}
	switch {
	case tree.Error && strings.HasPrefix(tree.Message, "Only SELECT"):
		return invalid(0, "Only one SELECT is accepted: also WITH, VALUES, FROM first, DESCRIBE and SUMMARIZE of a table.")
	case tree.Error:
		position := 0
		if _, err := fmt.Sscan(tree.Position, &position); err == nil {
			position++
		}
		return invalid(position, clean(tree.Message))
	case len(tree.Statements) != 1:
		return invalid(0, fmt.Sprintf("There are %d statements. Give one SELECT.", len(tree.Statements)))
	}
	if err := parametersUsed(tree.Statements[0], o.Parameters); err != nil {
		return err
	}
	c := &checker{order: o, own: map[string]bool{}}
	c.names(tree.Statements[0])
	return c.check(tree.Statements[0])
}

// parametersUsed refuses values without a parameter in the statement.
func parametersUsed(statement any, given []engine.Parameter) error {
	used := map[string]bool{}
	each(statement, func(n map[string]any) {
		list, _ := n["named_param_map"].([]any)
		for _, p := range list {
			if entry, ok := p.(map[string]any); ok {
				used[strings.ToLower(text(entry, "key"))] = true
			}
		}
	})
	for _, p := range given {
		if p.Name != "" && !used[strings.ToLower(p.Name)] {
			return invalid(0, fmt.Sprintf("There is a value for $%s, but the statement has no such parameter.", clip(p.Name)))
		}
	}
	return nil
}

// checker compares a tree with the names in an order.
type checker struct {
	order *engine.Order
	own   map[string]bool // names defined by WITH, in lower case
}

// names collects the names that WITH defines anywhere in the tree.
func (c *checker) names(node any) {
	each(node, func(n map[string]any) {
		if m, ok := n["cte_map"].(map[string]any); ok {
			entries, _ := m["map"].([]any)
			for _, e := range entries {
				if entry, ok := e.(map[string]any); ok {
					c.own[strings.ToLower(text(entry, "key"))] = true
				}
			}
		}
		if name := text(n, "cte_name"); name != "" {
			c.own[strings.ToLower(name)] = true
		}
	})
}

// check returns the first failure in the order of the statement.
func (c *checker) check(node any) error {
	for name := range c.own {
		if reserved(name) {
			return invalid(0, fmt.Sprintf("WITH cannot give the name %q; choose another.", clip(name)))
		}
	}
	var first *engine.Failure
	each(node, func(n map[string]any) {
		if f := c.node(n); f != nil && (first == nil || f.Position < first.Position) {
			first = f
		}
	})
	if first == nil {
		return nil
	}
	return first
}

// reserved reports whether a name may belong to DuckDB or the setup.
func reserved(name string) bool {
	for _, prefix := range []string{"duckdb_", "pragma_", "sqlite_", "pg_", "_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func (c *checker) node(n map[string]any) *engine.Failure {
	switch text(n, "type") {
	case "BASE_TABLE":
		return c.table(n, text(n, "table_name"))
	case "SHOW_REF":
		if n["query"] != nil {
			return nil // its tables are checked on their own
		}
		return c.table(n, strings.Trim(text(n, "table_name"), `"`))
	case "TABLE_FUNCTION":
		f, _ := n["function"].(map[string]any)
		return c.tableFunction(n, f)
	case "FUNCTION", "WINDOW_AGGREGATE":
		name := strings.ToLower(text(n, "function_name"))
		if slices.Contains(hidden, name) || strings.HasPrefix(name, "pragma_") || strings.HasPrefix(name, "duckdb_") {
			return refusedFunction(n, name)
		}
	}
	return nil
}

func (c *checker) table(n map[string]any, name string) *engine.Failure {
	qualified := text(n, "schema_name") != "" || text(n, "catalog_name") != ""
	lower := strings.ToLower(name)
	if !qualified && (c.own[lower] || slices.Contains(c.order.Tables, lower)) {
		return nil
	}
	if qualified {
		name = strings.Trim(text(n, "catalog_name")+"."+text(n, "schema_name")+"."+name, ".")
	}
	return &engine.Failure{Reason: engine.Invalid, Message: fmt.Sprintf("There is no table %q.", clip(name)), Position: location(n), Name: clip(name)}
}

func (c *checker) tableFunction(n, f map[string]any) *engine.Failure {
	name := strings.ToLower(text(f, "function_name"))
	if text(f, "schema") == "" && text(f, "catalog") == "" && (slices.Contains(harmless, name) || slices.Contains(c.order.Functions, name)) {
		return nil
	}
	return refusedFunction(n, name)
}

func refusedFunction(n map[string]any, name string) *engine.Failure {
	return &engine.Failure{
		Reason: engine.Invalid, Message: fmt.Sprintf("The function %q cannot be used here.", clip(name)),
		Position: location(n), Name: clip(name), Function: true,
	}
}

// each calls visit for every object of a tree.
func each(node any, visit func(map[string]any)) {
	switch n := node.(type) {
	case map[string]any:
		visit(n)
		for _, child := range n {
			each(child, visit)
		}
	case []any:
		for _, child := range n {
			each(child, visit)
		}
	}
}

func text(n map[string]any, key string) string {
	s, _ := n[key].(string)
	return s
}

// location returns the position of a node in the statement, in characters from 1, or 0 if
// it is unknown.
func location(n map[string]any) int {
	number, _ := n["query_location"].(json.Number)
	at, err := number.Int64()
	if err != nil { // 2^64 - 1 means no location
		return 0
	}
	return int(at) + 1
}

// clip shortens a name that a caller wrote.
func clip(name string) string {
	const most = 80
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
