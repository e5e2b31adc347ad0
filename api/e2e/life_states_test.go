package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ballast/billing"
	"ballast/internal/id"
	"ballast/program"
)

// subject is a model in some state, and what belongs to it.
type subject struct {
	*guest
	model    string // id
	first    string // its first run
	build    string // its first build
	snapshot string // a complete run at other inputs, or the first run if there is none
	revision string // the test of its draft, else what it serves, else one that there is not
	script   string // the latest that was tried
}

// weighted is a script with a default that promotions and drafts change. At a
// weight of 1 it fails.
func weighted(symbol, weight string, members ...string) string {
	if len(members) == 0 {
		members = []string{"AAA", "BBB"}
	}
	return fmt.Sprintf(`NAME = "Model %s"
SYMBOL = "%s"
SCHEDULE = "yearly"
INPUTS = {
    "universe": {"type": "array", "default": ["%s"]},
    "weight": {"type": "number", "default": %s, "minimum": 0, "maximum": 1},
}

def decide(ctx):
    return {ctx.universe[0]: 0.5 / (0 if ctx.inputs.weight == 1 else 1) * ctx.inputs.weight}
`, symbol, symbol, strings.Join(members, `", "`), weight)
}

// building creates the model that the tables are about.
func building(_ *testing.T, g *guest) *subject {
	s := &subject{guest: g, script: weighted("X", "0.6"), revision: id.New(id.Revision)}
	made := g.want(http.MethodPost, "/v1/models", map[string]string{"script": s.script})
	s.model, s.build, s.first = made.get("id"), made.get("build_id"), made.get("run.id")
	s.snapshot = s.first
	return s
}

// served is one that serves its first result, with a snapshot beside it.
func served(t *testing.T, g *guest) *subject {
	s := building(t, g)
	s.run(t, s.first)
	s.snapshot = s.start("runs", `{"inputs": {"weight": 0.5}}`).get("id")
	s.run(t, s.snapshot)
	s.revision = s.sheet().get("approved_revision_id")
	return s
}

// start begins work on the model, by one of its operations.
func (s *subject) start(operation string, body any) answer {
	s.t.Helper()
	return s.want(http.MethodPost, "/v1/models/"+s.model+"/"+operation, body)
}

func (s *subject) sheet() answer { return s.want(http.MethodGet, "/v1/models/"+s.model, nil) }

// refresh begins a refresh.
func (s *subject) refresh() string { return s.start("runs", `{"intent": "refresh"}`).get("id") }

// breakDown ends a run as one that could not be carried out.
func (s *subject) breakDown(t *testing.T, runID string) {
	t.Helper()
	check(t, s.db.FailRun(t.Context(), runID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
}

// rebuild begins a build of another script, and tells its run.
func (s *subject) rebuild(t *testing.T) string {
	t.Helper()
	s.script = strings.Replace(s.script, "yearly", "quarterly", 1)
	return s.start("rebuild", map[string]string{"script": s.script}).get("run.id")
}

// holder is a model that holds the subject.
func (s *subject) holder(t *testing.T) *subject {
	t.Helper()
	h := &subject{guest: s.guest}
	made := s.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("HOLDER", "0.5", "X", "AAA")})
	h.model, h.first = made.get("id"), made.get("run.id")
	s.run(t, h.first)
	return h
}

// edit saves a draft with another default.
func (s *subject) edit(weight string) {
	s.t.Helper()
	s.want(http.MethodPut, "/v1/models/"+s.model+"/draft", s.saving(weight))
}

// saving is a save over the draft as it is.
func (s *subject) saving(weight string) map[string]any {
	d := s.call(http.MethodGet, "/v1/models/"+s.model+"/draft", nil)
	base := d.get("base_hash")
	if conflict := s.call(http.MethodPut, "/v1/models/"+s.model+"/draft", map[string]any{"expected_version": 1 << 30, "base_hash": "x"}); conflict.fault() == "draft_conflict" {
		base = conflict.get("error.details.1.accepted.0") // of what is served by now
	}
	version := 0
	if _, err := fmt.Sscan(d.get("version"), &version); err != nil {
		version = 0 // there is no draft
	}
	if base == "" {
		base = "none"
	}
	return map[string]any{"expected_version": version, "base_hash": base, "script": weighted("X", weight)}
}

// test begins the test of a draft, and tells its run.
func (s *subject) test(t *testing.T, weight string) string {
	t.Helper()
	s.edit(weight)
	v := s.start("draft/test", map[string]string{"request_key": "one"})
	s.revision = v.get("id")
	return v.get("run_id")
}

func (s *subject) trash() {
	s.t.Helper()
	s.want(http.MethodDelete, "/v1/models/"+s.model, nil)
}

// after is a subject that serves a result, to which something has happened.
func after(then func(t *testing.T, s *subject)) func(*testing.T, *guest) *subject {
	return func(t *testing.T, g *guest) *subject {
		s := served(t, g)
		then(t, s)
		return s
	}
}

// tested is a subject whose draft was tested with success.
func tested(then func(t *testing.T, s *subject)) func(*testing.T, *guest) *subject {
	return after(func(t *testing.T, s *subject) {
		s.run(t, s.test(t, "0.3"))
		then(t, s)
	})
}

// lives are the states of a model, each made of a new one.
var lives = []struct {
	name string
	make func(t *testing.T, g *guest) *subject
}{
	{"building", building},
	{"failed", func(t *testing.T, g *guest) *subject {
		s := building(t, g)
		s.breakDown(t, s.first)
		return s
	}},
	{"failed, rebuilding", func(t *testing.T, g *guest) *subject {
		s := building(t, g)
		s.breakDown(t, s.first)
		s.rebuild(t)
		return s
	}},
	{"active", after(func(*testing.T, *subject) {})},
	{"updating by a run", after(func(_ *testing.T, s *subject) { s.start("runs", nil) })},
	{"updating by a refresh", after(func(_ *testing.T, s *subject) { s.refresh() })},
	{"updating by a cascade", func(t *testing.T, g *guest) *subject {
		made := g.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("MEMBER", "0.5")})
		g.run(t, made.get("run.id"))
		s := served(t, g)
		next := s.start("rebuild", map[string]string{"script": weighted("X", "0.6", "MEMBER", "AAA")}).get("run.id")
		s.run(t, next)
		member := &subject{guest: g, model: made.get("id")}
		s.run(t, member.start("runs", nil).get("id"))
		s.revision = s.sheet().get("approved_revision_id")
		return s
	}},
	{"waiting for its members", func(t *testing.T, g *guest) *subject {
		made := g.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("MEMBER", "0.5")})
		g.run(t, made.get("run.id"))
		g.run(t, g.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("MIDDLE", "0.5", "MEMBER", "AAA")}).get("run.id"))
		s := served(t, g)
		s.run(t, s.start("rebuild", map[string]string{"script": weighted("X", "0.6", "MIDDLE", "AAA")}).get("run.id"))
		member := &subject{guest: g, model: made.get("id")}
		s.run(t, member.start("runs", nil).get("id"))
		s.revision = s.sheet().get("approved_revision_id")
		return s
	}},
	{"promoting", after(func(_ *testing.T, s *subject) { s.want(http.MethodPost, "/v1/runs/"+s.snapshot+"/promote", nil) })},
	{"rebuilding", after(func(t *testing.T, s *subject) { s.rebuild(t) })},
	{"rebuilt", after(func(t *testing.T, s *subject) { s.run(t, s.rebuild(t)) })},
	{"snapshot queued", after(func(_ *testing.T, s *subject) { s.start("runs", `{"inputs": {"weight": 0.4}}`) })},
	{"snapshot running", after(func(t *testing.T, s *subject) {
		_, _, _, err := s.db.StartRun(t.Context(), s.start("runs", `{"inputs": {"weight": 0.4}}`).get("id"))
		check(t, err)
	})},
	{"paused", after(func(t *testing.T, s *subject) {
		for range 5 {
			s.breakDown(t, s.refresh())
		}
	})},
	{"blocked", after(func(t *testing.T, s *subject) { s.breakDown(t, s.refresh()) })},
	{"held", after(func(t *testing.T, s *subject) { s.holder(t) })},
	{"held, and run again", after(func(t *testing.T, s *subject) {
		s.holder(t)
		s.run(t, s.start("runs", nil).get("id"))
	})},
	{"held in the Trash", after(func(t *testing.T, s *subject) { s.holder(t).trash() })},
	{"without credit", after(func(t *testing.T, s *subject) {
		left, err := s.db.Statement(t.Context(), s.accountID)
		check(t, err)
		_, err = s.db.Credit(t.Context(), s.accountID, billing.Credit{Cents: -left.RemainingCents, Note: "taken back"})
		check(t, err)
	})},
	{"draft saved", after(func(_ *testing.T, s *subject) { s.edit("0.3") })},
	{"draft of an earlier base", after(func(t *testing.T, s *subject) {
		s.edit("0.3")
		s.run(t, s.rebuild(t))
	})},
	{"test queued", after(func(t *testing.T, s *subject) { s.test(t, "0.3") })},
	{"test running", after(func(t *testing.T, s *subject) {
		_, _, _, err := s.db.StartRun(t.Context(), s.test(t, "0.3"))
		check(t, err)
	})},
	{"test failed", after(func(t *testing.T, s *subject) { s.run(t, s.test(t, "1")) })},
	{"tested", tested(func(*testing.T, *subject) {})},
	{"tested on an earlier base", tested(func(t *testing.T, s *subject) { s.run(t, s.rebuild(t)) })},
	{"applied", tested(func(_ *testing.T, s *subject) { s.start("revisions/"+s.revision+"/apply", nil) })},
	{"trashed", after(func(_ *testing.T, s *subject) { s.trash() })},
	{"trashed with its member", func(t *testing.T, g *guest) *subject {
		made := g.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("MEMBER", "0.5")})
		g.run(t, made.get("run.id"))
		s := served(t, g)
		s.run(t, s.start("rebuild", map[string]string{"script": weighted("X", "0.6", "MEMBER", "AAA")}).get("run.id"))
		s.trash()
		(&subject{guest: g, model: made.get("id")}).trash()
		return s
	}},
	{"trashed, its symbol taken", after(func(_ *testing.T, s *subject) {
		s.trash()
		s.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("X", "0.6")})
	})},
	{"restored", after(func(_ *testing.T, s *subject) {
		s.trash()
		s.want(http.MethodPost, "/v1/models/trash/"+s.model+"/restore", nil)
	})},
	{"purged", after(func(_ *testing.T, s *subject) {
		s.trash()
		s.want(http.MethodDelete, "/v1/models/trash/"+s.model, nil)
	})},
}
