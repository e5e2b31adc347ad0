package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"ballast/backtest"
)

// peeker adds a hair of the next session's return to what a script decides on its
// first member.
type peeker struct{ backtest.Decider }

func (p peeker) Decide(s *backtest.Session, target []float64) (bool, error) {
	trade, err := p.Decider.Decide(s, target)
	if next := s.T + 1; trade && next < len(s.Frame.Axis) {
		target[0] += 1e-6 * s.Frame.Members[0].Returns[next]
	}
	return trade, err
}

// TestABuildThatSeesTheFutureFails puts a leak between script and engine: the
// build fails, naming date and symbol, and a model that has a result keeps it.
func TestABuildThatSeesTheFutureFails(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	g := d.guest(t, "prophet")

	honest := g.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("HONEST", "0.5")})
	d.run(t, honest.get("run.id"))
	model := g.want(http.MethodGet, "/v1/models/"+honest.get("id"), nil)
	if model.get("status") != "active" || model.get("metadata.causality.causal") != "true" {
		t.Fatal(model.body)
	}

	d.sandbox.through = func(honest backtest.Decider) backtest.Decider { return peeker{honest} }
	created := g.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("PROPHET", "0.5")})
	d.run(t, created.get("run.id"))
	failed := g.want(http.MethodGet, "/v1/models/"+created.get("id"), nil)
	build := g.want(http.MethodGet, "/v1/builds/"+failed.get("build_id"), nil)
	if failed.get("status") != "failed" || failed.get("live_run_id") != "" || build.get("status") != "failed" {
		t.Fatal(failed.body, build.body)
	}
	difference := gjson.Get(build.body, "causality.difference")
	cuts := gjson.Get(build.body, "causality.cuts").Array()
	date := difference.Get("date").String()
	if build.get("causality.causal") != "false" || difference.Get("symbol").String() != "AAA" || difference.Get("column").String() != "trade" ||
		date == "" || len(cuts) == 0 || cuts[len(cuts)-1].Get("date").String() != date {
		t.Error(build.body)
	}
	for _, a := range []string{failed.get("error.message"), build.get("error.message")} {
		if !strings.Contains(a, fmt.Sprintf("trade of AAA on %s is ", date)) || !strings.Contains(a, "follow a decision") {
			t.Errorf("error %q", a)
		}
	}
	if build.get("error.date") != date || failed.get("error.date") != date {
		t.Error(build.body)
	}

	rebuilt := g.want(http.MethodPost, "/v1/models/"+honest.get("id")+"/rebuild", map[string]string{"script": weighted("HONEST", "0.4")})
	d.run(t, rebuilt.get("run.id"))
	kept := g.want(http.MethodGet, "/v1/models/"+honest.get("id"), nil)
	if kept.get("status") != "active" || kept.get("live_run_id") != model.get("live_run_id") || !strings.Contains(kept.get("warning"), "AAA") ||
		kept.get("metadata.causality.causal") != "true" {
		t.Error(kept.body)
	}
}
