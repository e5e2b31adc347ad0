package e2e

import "net/http"

// deed is an operation on a model, or on what belongs to it.
type deed struct {
	name     string
	method   string
	template string // of the document
	path     func(s *subject) string
	body     func(s *subject) any
}

// fixed is a body that does not depend on the model.
func fixed(text string) func(*subject) any { return func(*subject) any { return text } }

func none(*subject) any { return nil }

// of is an operation on the model itself.
func of(name, method, rest string, body func(*subject) any) deed {
	return deed{name, method, "/v1/models/{model}" + rest, func(s *subject) string { return "/v1/models/" + s.model + rest }, body}
}

// ofRun is one on a run of it.
func ofRun(name, method, rest string, run func(*subject) string, body func(*subject) any) deed {
	return deed{name, method, "/v1/runs/{run_id}" + rest, func(s *subject) string { return "/v1/runs/" + run(s) + rest }, body}
}

// ofRevision is one on a revision of it.
func ofRevision(name, method, rest string, body func(*subject) any) deed {
	return deed{name, method, "/v1/models/{model}/revisions/{revision_id}" + rest, func(s *subject) string {
		return "/v1/models/" + s.model + "/revisions/" + s.revision + rest
	}, body}
}

func firstRun(s *subject) string { return s.first }
func otherRun(s *subject) string { return s.snapshot }
func createX(*subject) any       { return map[string]string{"script": weighted("X", "0.6")} }
func saveDraft(s *subject) any   { return s.saving("0.2") }
func rebuildOther(*subject) any  { return map[string]string{"script": weighted("X", "0.7")} }

// deeds are the operations of the life of a model, by the tables in which they stand.
var deeds = [][]deed{{
	of("read", http.MethodGet, "", none),
	of("script", http.MethodGet, "/script", none),
	of("history", http.MethodGet, "/history", none),
	of("runs", http.MethodGet, "/runs", none),
	of("builds", http.MethodGet, "/builds", none),
	of("revisions", http.MethodGet, "/revisions", none),
	of("read draft", http.MethodGet, "/draft", none),
	ofRevision("read revision", http.MethodGet, "", none),
	ofRun("read run", http.MethodGet, "", firstRun, none),
	{"read build", http.MethodGet, "/v1/builds/{build_id}", func(s *subject) string { return "/v1/builds/" + s.build }, none},
	{"compare", http.MethodGet, "/v1/runs/compare", func(s *subject) string {
		other := s.snapshot
		if other == s.first { // that would be the same twice
			other = s.want(http.MethodPost, "/v1/models", map[string]string{"script": weighted("OTHER", "0.5")}).get("run.id")
		}
		return "/v1/runs/compare?run_ids=" + s.first + "," + other
	}, none},
}, {
	{"create another X", http.MethodPost, "/v1/models", func(*subject) string { return "/v1/models" }, createX},
	of("run", http.MethodPost, "/runs", none),
	of("snapshot", http.MethodPost, "/runs", fixed(`{"inputs": {"weight": 0.1}}`)),
	of("intent test", http.MethodPost, "/runs", fixed(`{"intent": "test"}`)),
	of("intent refresh", http.MethodPost, "/runs", fixed(`{"intent": "refresh"}`)),
	of("rebuild", http.MethodPost, "/rebuild", rebuildOther),
	ofRun("promote", http.MethodPost, "/promote", otherRun, none),
	ofRun("promote first run", http.MethodPost, "/promote", firstRun, none),
}, {
	of("save draft", http.MethodPut, "/draft", saveDraft),
	of("test draft", http.MethodPost, "/draft/test", fixed(`{"request_key": "another"}`)),
	ofRevision("label test", http.MethodPatch, "", fixed(`{"label": "named"}`)),
	ofRevision("apply", http.MethodPost, "/apply", none),
	of("rename", http.MethodPatch, "", fixed(`{"name": "Other"}`)),
	of("auto_update", http.MethodPatch, "", fixed(`{"auto_update": true}`)),
	of("share", http.MethodPatch, "", fixed(`{"is_public": true}`)),
}, {
	ofRun("share run", http.MethodPatch, "", firstRun, fixed(`{"shared": true, "label": "seen"}`)),
	ofRun("delete first run", http.MethodDelete, "", firstRun, none),
	ofRun("delete snapshot", http.MethodDelete, "", otherRun, none),
	of("delete", http.MethodDelete, "", none),
	{"restore", http.MethodPost, "/v1/models/trash/{model}/restore", func(s *subject) string { return "/v1/models/trash/" + s.model + "/restore" }, none},
	{"purge", http.MethodDelete, "/v1/models/trash/{model}", func(s *subject) string { return "/v1/models/trash/" + s.model }, none},
}}
