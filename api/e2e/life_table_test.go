package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/testenv"
)

// The tables say what each operation answers in each state, and the model's
// status where that becomes another.
func TestEveryOperationInEveryState(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	expected := cellsOf(t, lifeTables)
	found := map[string]map[string]string{}
	for _, life := range testenv.Some(t, 5, lives) {
		cells := map[string]string{}
		found[life.name] = cells
		t.Run(life.name, func(t *testing.T) {
			stranger := d.guest(t, "stranger of "+life.name)
			n := 0
			fresh := func() *subject {
				n++
				return life.make(t, d.guest(t, fmt.Sprint(life.name, " ", n)))
			}
			s := fresh()
			for _, table := range deeds {
				for _, deed := range table {
					path, body := deed.path(s), deed.body(s)
					before, status := s.dump(t), s.status()
					if deed.template != "/v1/models" {
						if a := (&guest{desk: d, t: t, key: stranger.key}).call(deed.method, path, body); a.fault() != "not_found" {
							t.Errorf("%s of a stranger's answers %d: %s", deed.name, a.status, a.body)
						}
					}
					a := s.call(deed.method, path, body)
					if !d.documented(deed.method, deed.template, a) {
						t.Errorf("%s answers %d %s, which is not in the document", deed.name, a.status, a.fault())
					}
					cell := fmt.Sprint(a.status)
					switch now := s.status(); {
					case a.status >= 400:
						cell += " " + a.fault()
					case now != status:
						cell += " → " + now
					}
					cells[deed.name] = cell
					if want := expected[life.name][deed.name]; cell != want {
						t.Errorf("%s answers %q, want %q: %s", deed.name, cell, want, a.body)
					}
					switch diff := cmp.Diff(before, s.dump(t)); {
					case diff == "":
					case a.status >= 400 || deed.method == http.MethodGet:
						t.Errorf("%s changes: %s", deed.name, diff)
						fallthrough
					default:
						s = fresh()
					}
				}
			}
		})
	}
	if t.Failed() {
		t.Logf("this is what they answer:\n%s", printed(found))
	}
}

// status is the model's, or where it has gone.
func (s *subject) status() string {
	if a := s.call(http.MethodGet, "/v1/models/"+s.model, nil); a.status == http.StatusOK {
		return a.get("status")
	}
	if strings.Contains(s.want(http.MethodGet, "/v1/models/trash", nil).body, s.model) {
		return "trashed"
	}
	return "gone"
}

// dump is all that is kept of the account, to see what has changed.
func (s *subject) dump(t *testing.T) map[string]string {
	t.Helper()
	kept := map[string]string{}
	for table, query := range map[string]string{
		"programs": "account_id = $1", "models": "id in (select id from programs where account_id = $1)", "builds": "account_id = $1", "runs": "account_id = $1", "revisions": "account_id = $1",
		"ledger": "account_id = $1", "balances": "account_id = $1", "manual_runs": "account_id = $1", "deletion_receipts": "account_id = $1",
		"memberships": "holder_id in (select id from programs where account_id = $1)",
		"drafts":      "model_id in (select id from programs where account_id = $1)",
		"river_job":   "args ->> 'run_id' in (select id from runs where account_id = $1)",
	} {
		var text string
		check(t, s.db.Pool().QueryRow(t.Context(), fmt.Sprintf(
			"select coalesce(jsonb_agg(to_jsonb(x) order by to_jsonb(x))::text, '') from %s x where %s", table, query), s.accountID).Scan(&text))
		kept[table] = text
	}
	return kept
}

// cellsOf reads tables by state and operation.
func cellsOf(t *testing.T, tables string) map[string]map[string]string {
	t.Helper()
	cells := map[string]map[string]string{}
	var names []string
	for line := range strings.Lines(tables) {
		if strings.HasPrefix(line, "|---") {
			continue
		}
		line, isRow := strings.CutPrefix(strings.TrimSpace(line), "| ")
		if !isRow {
			names = nil
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, " |"), " | ")
		if names == nil {
			names = row
			continue
		}
		if len(row) != len(names) {
			t.Fatalf("%d cells in the row of %s", len(row), row[0])
		}
		if cells[row[0]] == nil {
			cells[row[0]] = map[string]string{}
		}
		for i := 1; i < len(row); i++ {
			cells[row[0]][names[i]] = row[i]
		}
	}
	return cells
}

// printed is tables as they stand in the documentation.
func printed(cells map[string]map[string]string) string {
	var b strings.Builder
	for _, table := range deeds {
		b.WriteString("\n| model |")
		for _, deed := range table {
			fmt.Fprintf(&b, " %s |", deed.name)
		}
		b.WriteString("\n|---|" + strings.Repeat("---|", len(table)) + "\n")
		for _, life := range lives {
			fmt.Fprintf(&b, "| %s |", life.name)
			for _, deed := range table {
				fmt.Fprintf(&b, " %s |", cells[life.name][deed.name])
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestTheTablesArePrinted(t *testing.T) {
	t.Parallel()
	if whole := printed(cellsOf(t, lifeTables)); whole != lifeTables {
		t.Errorf("the tables lack states or operations:\n%s", cmp.Diff(whole, lifeTables))
	}
	page, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "life.md"))
	check(t, err)
	if !strings.Contains(string(page), lifeTables) {
		t.Error("docs/life.md lacks the tables")
	}
}
