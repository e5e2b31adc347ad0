package e2e

import (
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ballast/internal/id"
	"ballast/internal/testenv"
	"ballast/query"
)

// everything is one statement per table and macro, which together read all that an
// account may.
func everything() []string {
	var statements []string
	for _, t := range query.Tables {
		statements = append(statements, "SELECT * FROM "+t.Name+" ORDER BY ALL")
	}
	for _, m := range query.Macros {
		statements = append(statements, "SELECT * FROM "+m.Name+"(NULL) ORDER BY ALL")
	}
	return append(statements, "SELECT * FROM metrics(NULL, benchmark := 'SAME') ORDER BY ALL")
}

// answers runs statements, and returns status and body of each, without what differs
// from one request to the next: the request's id, and the last digits of sums, which
// threads add up in any order.
func (g *guest) answers(statements []string, runs ...string) map[string]string {
	g.t.Helper()
	out := map[string]string{}
	for _, s := range statements {
		out[s] = g.answered(s, runs...)
	}
	return out
}

func (g *guest) answered(statement string, runs ...string) string {
	g.t.Helper()
	a := g.call(http.MethodPost, "/v1/query", map[string]any{"sql": statement, "runs": runs})
	body := numbers.ReplaceAllStringFunc(requestID.ReplaceAllString(a.body, ""), func(text string) string {
		v, err := strconv.ParseFloat(text[1:], 64)
		check(g.t, err)
		if math.Abs(v) < 1e-12 {
			v = 0
		}
		return text[:1] + strconv.FormatFloat(v, 'g', 9, 64)
	})
	return fmt.Sprint(a.status, " ", body)
}

var (
	requestID = regexp.MustCompile(`"request_id":"[^"]*"`)
	numbers   = regexp.MustCompile(`[\[,]-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`) // in a list, not in a text
)

// TestSQLKeepsAccountsApart checks that what another account has changes no byte of what
// SQL answers, and that its ids, symbols and runs are answered like those that do not
// exist.
func TestSQLKeepsAccountsApart(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	bob := d.guest(t, "bob")
	bobs := map[string]string{}
	bob.build(t, bobs, modelOf("SAME", "monthly", `{"AAA": 0.5}`, "", "AAA", "BBB"))
	bob.build(t, bobs, modelOf("OUTER", "monthly", `{"SAME": 0.5, "BBB": 0.1}`, "", "SAME", "BBB"))
	bob.want(http.MethodPost, "/v1/series", `{"name": "FACTORS", "columns": {"date": ["2020-01-31", "2020-02-28"], "Mkt-RF": [0.01, null]}}`)
	statements := testenv.Some(t, 10, everything())
	before := bob.answers(statements)
	for s, a := range before {
		if !strings.HasPrefix(a, "200 ") {
			t.Fatalf("%s answers %s", s, a)
		}
	}

	alice := d.guest(t, "alice")
	alices := map[string]string{}
	for _, name := range []string{"FACTORS", "OTHER"} {
		alice.want(http.MethodPost, "/v1/series", fmt.Sprintf(`{"name": %q, "columns": {"date": ["2020-01-31", "2020-02-28"], "Mkt-RF": [0.02, 0.03]}}`, name))
	}
	alice.want(http.MethodPost, "/v1/backfills", `{"symbol": "CCC", "sources": [{"symbol": "AAA", "method": "raw"}]}`)
	alice.build(t, alices, modelOf("SAME", "monthly", `{"BBB": 0.7}`, "", "BBB"))
	alice.build(t, alices, modelOf("PUBLIC", "monthly", `{"SAME": 0.7}`, "", "SAME"))
	alice.build(t, alices, modelOf("TRASHED", "monthly", `{"CCC": 0.7}`, "", "CCC"))
	for i := range 16 { // enough for a segment
		alice.build(t, alices, modelOf(fmt.Sprint("MANY", i), "yearly", `{"AAA": 0.1}`, "", "AAA"))
	}
	alice.want(http.MethodPatch, "/v1/models/"+alices["PUBLIC"], `{"is_public": true}`)
	snapshot := alice.want(http.MethodPost, "/v1/models/"+alices["SAME"]+"/runs", `{}`).get("id")
	d.run(t, snapshot)
	alice.want(http.MethodPatch, "/v1/runs/"+snapshot, `{"shared": true}`)
	names := []string{snapshot}
	for _, symbol := range []string{"SAME", "PUBLIC", "TRASHED"} {
		m := alice.want(http.MethodGet, "/v1/models/"+alices[symbol], nil)
		names = append(names, m.get("id"), m.get("slug"), m.get("live_run_id"))
	}
	names = append(names, "PUBLIC", "TRASHED")
	trashed := alice.want(http.MethodGet, "/v1/models/"+alices["TRASHED"], nil).get("live_run_id")
	alice.want(http.MethodDelete, "/v1/models/"+alices["TRASHED"], nil)

	compare := func(when string) {
		t.Helper()
		for s, got := range bob.answers(statements) {
			if got != before[s] {
				t.Errorf("%s: %s answers %.600s, before it was %.600s", when, s, got, before[s])
			}
		}
	}
	compare("after alice's models")
	d.gather(t)
	compare("after alice's results were gathered")

	// Every name of alice's is answered like one that nobody has.
	const nobodys = "NOBODYS"
	templates := []string{"SELECT * FROM metrics('SAME', benchmark := '" + nobodys + "')"}
	for _, m := range query.Macros {
		templates = append(templates, "SELECT * FROM "+m.Name+"('"+nobodys+"')")
	}
	for _, template := range testenv.Some(t, 4, templates) {
		want := bob.answered(template)
		if !strings.HasPrefix(want, "422 ") {
			t.Errorf("%s answers %s", template, want)
		}
		for _, name := range testenv.Some(t, 4, names) {
			if got := bob.answered(strings.ReplaceAll(template, nobodys, name)); strings.ReplaceAll(got, name, nobodys) != want {
				t.Errorf("%s with %s answers %.600s", template, name, got)
			}
		}
	}
	unknown := id.New(id.Run)
	want := bob.answered("SELECT 1", unknown)
	for _, run := range names {
		if got := bob.answered("SELECT 1", run); !strings.HasPrefix(got, "404 ") || strings.ReplaceAll(got, run, unknown) != want {
			t.Errorf("the run %s answers %s, one that nobody has %s", run, got, want)
		}
	}

	// What is in the Trash is nowhere, and comes back whole.
	for s, a := range alice.answers(statements) {
		if !strings.HasPrefix(a, "200 ") || strings.Contains(a, alices["TRASHED"]) || strings.Contains(a, trashed) {
			t.Errorf("with a model in the Trash %s answers %.600s", s, a)
		}
	}
	if a := alice.answered("SELECT 1", trashed); !strings.HasPrefix(a, "404 ") {
		t.Errorf("the run of a model in the Trash answers %s", a)
	}
	alice.want(http.MethodPost, "/v1/models/trash/"+alices["TRASHED"]+"/restore", nil)
	if rows := alice.sql("SELECT * FROM history('TRASHED')", nil); len(rows) == 0 {
		t.Error("a restored model has no history")
	}
}
