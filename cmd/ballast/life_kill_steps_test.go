package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"
)

// place is where a model is.
type place string

const (
	present place = "present"
	trashed place = "trashed"
	purged  place = "purged"
)

// life is what one caller knows about its model. Nobody else changes the model.
type life struct {
	k              *killing
	random         *rand.Rand
	symbol, member string // member may be empty
	id             string
	place          place
	runs           []string // accepted runs of the model
	drafts         int
	did            map[string]int
}

func (l *life) script() string {
	name := "Life of " + l.symbol
	members := []string{`"KA"`, `"KB"`}
	if l.member != "" && l.random.IntN(4) > 0 {
		members[1] = fmt.Sprintf("%q", l.member)
	}
	return fmt.Sprintf(`NAME = %q
SYMBOL = %q
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": [%s, %s], "title": "Universe"},
    "share": {"type": "number", "default": 0.%d, "title": "Share"},
}


def decide(ctx):
    return {ctx.inputs.universe[0]: ctx.inputs.share, ctx.inputs.universe[1]: 0.05}
`, name, l.symbol, members[0], members[1], 1+l.random.IntN(8))
}

// step changes the model in one way.
func (l *life) step(t *testing.T) {
	address := "/v1/models/" + l.id
	switch l.place {
	case purged:
		l.create(t)
	case trashed:
		if l.random.IntN(3) > 0 {
			l.move(t, "restore", "POST", "/v1/models/trash/"+l.id+"/restore", present)
		} else {
			l.move(t, "purge", "DELETE", "/v1/models/trash/"+l.id, purged)
		}
	default:
		switch l.random.IntN(8) {
		case 0:
			l.move(t, "trash", "DELETE", address, trashed)
		case 1, 2:
			l.promote(t)
		case 3, 4:
			l.draft(t)
		case 5:
			l.ask(t, "rebuild", "POST", address+"/rebuild", map[string]string{"script": l.script()}, nil)
		case 6:
			l.start(t, "run", "POST", address+"/runs", struct{}{})
		default:
			l.ask(t, "edit", "PATCH", address, map[string]any{"labels": []string{fmt.Sprint(l.random.IntN(9))}}, nil)
		}
	}
	time.Sleep(time.Duration(l.random.IntN(100)) * time.Millisecond)
}

// ask sends a request, and fails the test if no state of the model explains the
// response. It returns nil if the request was accepted, and a problem with a status
// below 500 if it was refused. After any other error the request may have been
// carried out.
func (l *life) ask(t *testing.T, what, method, path string, body, out any) error {
	err := l.k.client().do(t.Context(), method, path, body, out)
	var refused *problem
	switch {
	case err == nil:
		l.did[what]++
	case !declined(err):
		l.did[what+" cut off"]++
	default:
		errors.As(err, &refused)
		l.did[what+" "+refused.Body.Error.Type]++
		if refused.Status != http.StatusConflict && refused.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s %s: %v", l.symbol, what, refused)
		}
	}
	return err
}

func declined(err error) bool {
	var refused *problem
	return errors.As(err, &refused) && refused.Status < 500
}

func (l *life) create(t *testing.T) {
	var sheet struct{ ID string }
	if l.ask(t, "create", "POST", "/v1/models", map[string]string{"script": l.script()}, &sheet) != nil {
		if err := l.insist(t, "/v1/models/"+l.symbol, &sheet); err != nil {
			return // the symbol names nothing
		}
	}
	l.id, l.place, l.runs = sheet.ID, present, nil
}

// move takes the model to another place. Without a response, it may be in either place.
func (l *life) move(t *testing.T, what, method, path string, to place) {
	before := l.place
	err := l.ask(t, what, method, path, nil, nil)
	l.place = l.look(t)
	switch {
	case err == nil && l.place != to, err != nil && l.place != before && (declined(err) || l.place != to):
		t.Errorf("%s is %s after a %s that ended with %v; it was %s", l.symbol, l.place, what, err, before)
	}
}

// look asks the service where the model is.
func (l *life) look(t *testing.T) place {
	if l.insist(t, "/v1/models/"+l.id, nil) == nil {
		return present
	}
	var page struct{ Data []struct{ ID string } }
	if err := l.insist(t, "/v1/models/trash?limit=200", &page); err != nil {
		t.Error(err)
	}
	for _, m := range page.Data {
		if m.ID == l.id {
			return trashed
		}
	}
	return purged
}

// insist reads until there is a response. The error is the service's refusal.
func (l *life) insist(t *testing.T, path string, out any) error {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := l.k.client().do(t.Context(), "GET", path, nil, out)
		if err == nil || declined(err) {
			return err
		}
		if time.Now().After(deadline) {
			t.Errorf("GET %s: %v after a minute", path, err)
			return err
		}
	}
}

// start starts a run of the model. From then on, the run must end.
func (l *life) start(t *testing.T, what, method, path string, body any) (id string, ok bool) {
	var run runBody
	if l.ask(t, what, method, path, body, &run) != nil {
		return "", false
	}
	l.runs = append(l.runs, run.ID)
	return run.ID, true
}

// promote makes other inputs the model's defaults.
func (l *life) promote(t *testing.T) {
	inputs := map[string]any{"share": float64(1+l.random.IntN(80)) / 100}
	id, ok := l.start(t, "snapshot", "POST", "/v1/models/"+l.id+"/runs?wait=true", map[string]any{"intent": "test", "inputs": inputs})
	if ok {
		l.start(t, "promote", "POST", "/v1/runs/"+id+"/promote", nil)
	}
}

// draft edits the model, tests it, and applies what was tested.
func (l *life) draft(t *testing.T) {
	address := "/v1/models/" + l.id
	var draft struct {
		Version int
		Base    string `json:"base_hash"`
	}
	if l.ask(t, "read draft", "GET", address+"/draft", nil, &draft) != nil {
		return
	}
	edit := map[string]any{"expected_version": draft.Version, "base_hash": draft.Base, "script": l.script()}
	if l.ask(t, "save", "PUT", address+"/draft", edit, nil) != nil {
		return
	}
	l.drafts++
	var v revisionState
	if l.ask(t, "test", "POST", address+"/draft/test", map[string]string{"request_key": fmt.Sprint(l.drafts)}, &v) != nil {
		return
	}
	for deadline := time.Now().Add(3 * time.Second); v.Status != "completed" && v.Status != "failed" && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err := l.insist(t, address+"/revisions/"+v.ID, &v); err != nil {
			t.Errorf("%s: a test that was accepted: %v", l.symbol, err)
			return
		}
	}
	l.ask(t, "apply", "POST", address+"/revisions/"+v.ID+"/apply", nil, nil)
}

// refresh brings a restored model up to date, because nothing refreshes it
// automatically.
func (l *life) refresh(t *testing.T) {
	if l.place != present {
		return
	}
	l.ask(t, "last edit", "PATCH", "/v1/models/"+l.id, map[string]any{"auto_update": true}, nil)
	l.start(t, "last run", "POST", "/v1/models/"+l.id+"/runs?wait=true", struct{}{})
}

// check verifies that all accepted work has ended.
func (l *life) check(t *testing.T) {
	if now := l.look(t); now != l.place {
		t.Errorf("%s is %s, it was left %s", l.symbol, now, l.place)
	}
	if l.place != present {
		return
	}
	for _, id := range l.runs {
		var run runBody
		if err := l.insist(t, "/v1/runs/"+id, &run); err != nil {
			t.Errorf("%s: a run that was accepted: %v", l.symbol, err)
		} else if !slices.Contains([]string{"complete", "failed"}, run.Status) {
			t.Errorf("%s: %s is still %s", l.symbol, id, run.Status)
		}
	}
}
