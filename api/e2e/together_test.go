package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"ballast/internal/testenv"
)

const callersTogether, requestsEach = 50, 30

// crowd is many callers of one account, who do anything with the same few models.
type crowd struct {
	*guest
	models  []string // ids
	scripts []func(weight string) string

	mu        sync.Mutex
	succeeded map[string]int
	saves     map[string]bool   // drafts saved over a version of a model
	tests     map[string]string // revision by model and request key
}

// Fifty callers run, promote, rebuild, edit, test, apply, trash and restore models
// that hold each other, while workers carry out what they begin. Every answer is
// one that the document names, no update is lost, and what is left is whole.
func TestManyCallersOfTheSameModels(t *testing.T) {
	t.Parallel()
	testenv.NotInTest(t)
	d := openDesk(t)
	d.work(t, 4)
	c := &crowd{guest: d.guest(t, "crowd"), succeeded: map[string]int{}, saves: map[string]bool{}, tests: map[string]string{}}
	for i, members := range [][]string{{"AAA", "BBB"}, {"M0", "AAA"}, {"M1", "M0"}, {"BBB"}, {"M3", "AAA"}, {"AAA"}, {"BBB", "AAA"}, {"AAA", "CCC"}} {
		symbol := fmt.Sprint("M", i)
		c.scripts = append(c.scripts, func(weight string) string { return weighted(symbol, weight, members...) })
		c.models = append(c.models, c.want(http.MethodPost, "/v1/models", map[string]string{"script": c.scripts[i]("0.5")}).get("id"))
		c.settle(t)
	}
	deadlocks := d.deadlocks(t)
	began := time.Now()
	var callers sync.WaitGroup
	for caller := range callersTogether {
		r := testenv.Random(t, 17, uint64(caller))
		callers.Go(func() {
			for range requestsEach {
				c.anything(t, r)
				time.Sleep(time.Duration(r.IntN(200)) * time.Millisecond) // so that work is done in between
			}
		})
	}
	callers.Wait()
	t.Logf("%d requests in %v, succeeded %v", callersTogether*requestsEach, time.Since(began).Round(time.Millisecond), c.succeeded)
	c.settle(t)
	if now := d.deadlocks(t); now != deadlocks {
		t.Errorf("%d deadlocks", now-deadlocks)
	}
	c.wantWhole(t)
	for _, name := range []string{
		"run", "snapshot", "refresh", "intent test", "rebuild", "save draft", "test draft", "trash", "rename", "share", "delete run",
		"read", "history", "compare", "list",
	} {
		if c.succeeded[name] == 0 {
			t.Errorf("%s has never succeeded", name)
		}
	}
}

// anything does one thing with one of the models.
func (c *crowd) anything(t *testing.T, r *rand.Rand) {
	i := r.IntN(len(c.models))
	id := c.models[i]
	model := "/v1/models/" + id
	weight := fmt.Sprintf("0.%d", 1+r.IntN(9))
	do := func(name, method, template, path string, body any) answer {
		a := c.call(method, path, body)
		if !c.documented(method, template, a) {
			t.Errorf("%s %s answers %d, which is not in the document: %s", method, path, a.status, a.body)
		}
		if a.status < 300 {
			c.mu.Lock()
			c.succeeded[name]++
			c.mu.Unlock()
		}
		return a
	}
	runs := func() []gjson.Result {
		return gjson.Get(do("runs", http.MethodGet, "/v1/models/{model}/runs", model+"/runs?limit=20", nil).body, "data.#(status==complete)#.id").Array()
	}
	switch r.IntN(18) {
	case 0:
		do("run", http.MethodPost, "/v1/models/{model}/runs", model+"/runs", nil)
	case 1, 2:
		a := do("snapshot", http.MethodPost, "/v1/models/{model}/runs", model+"/runs?wait=true", fmt.Sprintf(`{"inputs": {"weight": %s}}`, weight))
		if a.get("status") == "complete" {
			do("promote", http.MethodPost, "/v1/runs/{run_id}/promote", "/v1/runs/"+a.get("id")+"/promote?wait=true", nil)
		}
	case 3:
		do("refresh", http.MethodPost, "/v1/models/{model}/runs", model+"/runs", `{"intent": "refresh"}`)
	case 4:
		do("intent test", http.MethodPost, "/v1/models/{model}/runs", model+"/runs", `{"intent": "test"}`)
	case 5:
		do("rebuild", http.MethodPost, "/v1/models/{model}/rebuild", model+"/rebuild", map[string]string{"script": c.scripts[i](weight)})
	case 6, 7, 8:
		found := runs()
		if len(found) == 0 {
			return
		}
		run := "/v1/runs/" + found[r.IntN(len(found))].String()
		switch r.IntN(6) {
		case 0:
			do("delete run", http.MethodDelete, "/v1/runs/{run_id}", run, nil)
		case 1:
			do("share", http.MethodPatch, "/v1/runs/{run_id}", run, `{"shared": true}`)
		default:
			do("promote", http.MethodPost, "/v1/runs/{run_id}/promote", run+"/promote", nil)
		}
	case 9:
		c.saveDraft(t, do, id, model, c.scripts[i](weight))
	case 10:
		key := fmt.Sprint("key ", r.IntN(8))
		a := do("test draft", http.MethodPost, "/v1/models/{model}/draft/test", model+"/draft/test", map[string]string{"request_key": key})
		c.mu.Lock()
		if earlier := c.tests[id+key]; a.status < 300 && earlier != "" && earlier != a.get("id") {
			t.Errorf("the key %q of %s answers %s, then %s", key, id, earlier, a.get("id"))
		}
		if a.status < 300 {
			c.tests[id+key] = a.get("id")
		}
		c.mu.Unlock()
	case 11, 12:
		c.apply(r, do, model)
	case 13:
		do("trash", http.MethodDelete, "/v1/models/{model}", model, nil)
	case 14, 15:
		do("restore", http.MethodPost, "/v1/models/trash/{model}/restore", "/v1/models/trash/"+id+"/restore", nil)
	case 16:
		do("rename", http.MethodPatch, "/v1/models/{model}", model, fmt.Sprintf(`{"name": "Name %s", "auto_update": true, "is_public": true}`, weight))
	default:
		c.look(t, r, do, model, runs())
	}
}

type asking func(name, method, template, path string, body any) answer

func (c *crowd) saveDraft(t *testing.T, do asking, id, model, script string) {
	d := do("read draft", http.MethodGet, "/v1/models/{model}/draft", model+"/draft", nil)
	if d.status != http.StatusOK {
		return
	}
	saved := do("save draft", http.MethodPut, "/v1/models/{model}/draft", model+"/draft", map[string]any{
		"expected_version": gjson.Get(d.body, "version").Int(), "base_hash": d.get("base_hash"), "script": script,
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	over := id + " at " + d.get("version")
	if saved.status == http.StatusOK && c.saves[over] {
		t.Errorf("the draft of %s was saved twice, and one of the edits is lost", over)
	}
	c.saves[over] = c.saves[over] || saved.status == http.StatusOK
}

// apply applies the latest test, or starts over where its base has moved.
func (c *crowd) apply(r *rand.Rand, do asking, model string) {
	found := gjson.Get(do("revisions", http.MethodGet, "/v1/models/{model}/revisions", model+"/revisions?event=tests", nil).body, "data").Array()
	eligible := slices.IndexFunc(found, func(v gjson.Result) bool { return v.Get("apply.eligible").Bool() && !v.Get("current").Bool() })
	switch {
	case eligible >= 0:
		do("apply", http.MethodPost, "/v1/models/{model}/revisions/{revision_id}/apply", model+"/revisions/"+found[eligible].Get("id").String()+"/apply", nil)
	case len(found) > 0 && r.IntN(2) == 0:
		do("apply", http.MethodPost, "/v1/models/{model}/revisions/{revision_id}/apply", model+"/revisions/"+found[r.IntN(len(found))].Get("id").String()+"/apply", nil)
	default:
		d := do("read draft", http.MethodGet, "/v1/models/{model}/draft", model+"/draft", nil)
		if d.status == http.StatusOK {
			do("reset draft", http.MethodPut, "/v1/models/{model}/draft", model+"/draft", map[string]any{
				"expected_version": gjson.Get(d.body, "version").Int(), "base_hash": d.get("base_hash"), "reset": true,
			})
			do("test draft", http.MethodPost, "/v1/models/{model}/draft/test", model+"/draft/test", map[string]string{"request_key": fmt.Sprint("reset ", r.Uint64())})
		}
	}
}

// look reads something.
func (c *crowd) look(t *testing.T, r *rand.Rand, do asking, model string, runs []gjson.Result) {
	switch {
	case r.IntN(2) == 0:
		c.list(t, r, do, model)
	case r.IntN(3) == 0:
		do("history", http.MethodGet, "/v1/models/{model}/history", model+"/history?include=returns,allocation,tree,metrics", nil)
	case len(runs) > 1 && r.IntN(2) == 0:
		do("compare", http.MethodGet, "/v1/runs/compare", "/v1/runs/compare?run_ids="+runs[0].String()+","+runs[len(runs)-1].String(), nil)
	default:
		do("read", http.MethodGet, "/v1/models/{model}", model, nil)
	}
}

// list reads a page of a list. Whatever changes meanwhile, it has as many entries
// as its total says, each once.
func (c *crowd) list(t *testing.T, r *rand.Rand, do asking, model string) {
	lists := [][2]string{
		{"/v1/models", "/v1/models"}, {"/v1/models/trash", "/v1/models/trash"}, {"/v1/account/billing/charges", "/v1/account/billing/charges"},
		{"/v1/models/{model}/runs", model + "/runs"}, {"/v1/models/{model}/builds", model + "/builds"}, {"/v1/models/{model}/revisions", model + "/revisions"},
	}
	l := lists[r.IntN(len(lists))]
	limit, offset := 1+r.IntN(20), r.IntN(4)
	a := do("list", http.MethodGet, l[0], fmt.Sprintf("%s?limit=%d&offset=%d", l[1], limit, offset), nil)
	if a.status != http.StatusOK {
		return
	}
	ids := map[string]bool{}
	for _, id := range gjson.Get(a.body, "data.#.id").Array() {
		ids[id.String()] = true
	}
	total := int(gjson.Get(a.body, "total").Int())
	if want := min(limit, max(0, total-offset)); len(ids) != want || int(gjson.Get(a.body, "data.#").Int()) != want {
		t.Errorf("%s: %d entries of %d from %d, at most %d: %s", l[1], len(ids), total, offset, limit, a.body)
	}
}

// settle waits until no work is left.
func (c *crowd) settle(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		var unended int
		check(t, c.db.Pool().QueryRow(t.Context(), "select count(*) from runs where status in ('queued', 'running')").Scan(&unended))
		if unended == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d runs have not ended", unended)
		}
	}
}

// deadlocks is how many the server has found in this database.
func (d *desk) deadlocks(t *testing.T) (n int64) {
	t.Helper()
	check(t, d.db.Pool().QueryRow(t.Context(), "select pg_stat_get_db_deadlocks(oid) from pg_database where datname = current_database()").Scan(&n))
	return n
}

// wantWhole holds what is stored, and what callers see of it, against each other.
func (c *crowd) wantWhole(t *testing.T) {
	t.Helper()
	findings, err := c.db.CheckLives(t.Context())
	check(t, err)
	for _, f := range findings {
		t.Errorf("%s %s", f.ID, f.Message)
	}
	unsound, err := c.db.CheckLedger(t.Context())
	check(t, err)
	for _, f := range unsound {
		t.Errorf("the ledger: %s", f.Message)
	}
	holds, heldBy := []string{}, []string{}
	listed := gjson.Get(c.want(http.MethodGet, "/v1/models?limit=200", nil).body, "data.#.id").Array()
	for _, id := range listed {
		m := c.want(http.MethodGet, "/v1/models/"+id.String(), nil)
		if m.get("run.id") != "" || !slices.Contains([]string{"active", "failed", "paused"}, m.get("status")) {
			t.Errorf("%s has not settled: %s", id, m.body)
		}
		for _, component := range gjson.Get(m.body, "components").Array() {
			if component.Get("kind").String() == "model" {
				holds = append(holds, id.String()+" "+component.Get("id").String())
			}
		}
		for _, holder := range gjson.Get(m.body, "held_by").Array() {
			heldBy = append(heldBy, holder.Get("id").String()+" "+id.String())
		}
		if h := c.want(http.MethodGet, "/v1/models/"+id.String()+"/history?include=returns,allocation,tree,metrics,contribution", nil); h.get("run_id") != m.get("live_run_id") {
			t.Errorf("%s serves another history than its live run's", id)
		}
	}
	slices.Sort(holds)
	slices.Sort(heldBy)
	if !slices.Equal(holds, heldBy) {
		t.Errorf("components are\n%s\nand held_by says\n%s", strings.Join(holds, "\n"), strings.Join(heldBy, "\n"))
	}
	c.wantObjects(t)
}

// wantObjects holds the bucket against the runs: what a run names is there. What
// no run names was written by runs that were deleted, or never published.
func (c *crowd) wantObjects(t *testing.T) {
	t.Helper()
	stored := map[string]bool{}
	for entry, err := range c.bucket.List(t.Context(), "runs/") {
		check(t, err)
		stored[entry.Key] = true
	}
	rows, err := c.db.Pool().Query(t.Context(), "select t.value ->> 'object' from runs, jsonb_each(tables) t where t.value ->> 'object' <> ''")
	check(t, err)
	defer rows.Close()
	for rows.Next() {
		var key string
		check(t, rows.Scan(&key))
		if !stored[key] {
			t.Errorf("a run names %s, which is not there", key)
		}
	}
	check(t, rows.Err())
}
