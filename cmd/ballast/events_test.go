package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	smtpmock "github.com/mocktools/go-smtp-mock/v2"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"ballast/program/jobs"
	"ballast/service"
)

// event is an event that a receiver got.
type event struct {
	id   string
	Type string
	Data struct {
		Model  struct{ ID, Symbol string }
		RunID  string `json:"run_id"`
		Before map[string]float64
		After  map[string]float64
	}
}

// receiver is an endpoint that checks signatures and answers with the status that the
// test sets.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	verifier *standardwebhooks.Webhook
	answer   int
	got      []event
	refused  int
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{answer: http.StatusNoContent}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err == nil {
			err = r.verifier.Verify(body, request.Header)
		}
		e := event{id: request.Header.Get("webhook-id")}
		if err == nil {
			err = json.Unmarshal(body, &e)
		}
		if err != nil {
			t.Errorf("a delivery cannot be read: %v\n%s", err, body)
		}
		if r.answer >= 300 {
			r.refused++
		} else {
			r.got = append(r.got, e)
		}
		w.WriteHeader(r.answer)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answers(code int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = code
}

// until waits until enough events have arrived, and returns them.
func (r *receiver) until(t *testing.T, what string, enough func(got []event, refused int) bool) []event {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		r.mu.Lock()
		got, refused := append([]event(nil), r.got...), r.refused
		r.mu.Unlock()
		if enough(got, refused) {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come: %+v", what, got)
		}
	}
}

// TestEventsReachTheirReceivers lets a model follow its bars while its endpoint is
// broken and the service is killed. Every event arrives, in order, and the owner gets
// one mail per change.
func TestEventsReachTheirReceivers(t *testing.T) {
	mails := smtpmock.New(smtpmock.ConfigurationAttr{HostAddress: "127.0.0.1", MultipleMessageReceiving: true})
	if err := mails.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mails.Stop() })
	flags := []string{
		"--webhook-private", "--webhook-ports", "1-65535", "--public-url", "https://ballast.example", "--mail-from", "Ballast <ballast@example.com>",
		"--smtp-url", fmt.Sprintf("smtp://127.0.0.1:%d?tls=off", mails.PortNumber()),
	}
	data := t.TempDir()
	first, url := serveProcess(t, data, flags...)
	market := readFile(t, smallMarket(t))
	must(t, "import", "bars", until(t, market, "2018-12-31"), "--data-dir", data)
	must(t, "account", "create", "tester", "--email", "ann@example.com", "--plan", "business", "--data-dir", data)
	c := &client{url: url, key: must(t, "keys", "create", "--account", "tester", "--data-dir", data)}

	endpoint := newReceiver(t)
	var hook struct{ ID, Secret string }
	if err := c.do(t.Context(), "POST", "/v1/webhooks", map[string]any{
		"url": endpoint.URL + "/hooks", "events": []string{"model.active", "run.complete", "allocation.changed"},
	}, &hook); err != nil {
		t.Fatal(err)
	}
	var err error
	if endpoint.verifier, err = standardwebhooks.NewWebhook(hook.Secret); err != nil {
		t.Fatal(err)
	}
	if err := c.do(t.Context(), "POST", "/v1/webhooks/"+hook.ID+"/test", nil, nil); err != nil {
		t.Fatal(err)
	}
	endpoint.until(t, "the test", func(got []event, _ int) bool { return len(got) == 1 && got[0].Type == "webhook.test" })

	// The best of two so far: its target changes with the months.
	script := head("Leader", "LEAD", "monthly", []string{`"KA"`, `"KB"`, `"KC"`}) +
		"    best = sorted(ctx.universe, key = lambda s: -ctx.prices(s, 1)[-1])\n    return {best[0]: 0.5 + len(ctx.date) * 0.01 + ctx.sessions(best[0]) / 100000}\n"
	if err := c.do(t.Context(), "POST", "/v1/models", map[string]any{"script": script}, nil); err != nil {
		t.Fatal(err)
	}
	follows(t, c, "LEAD", "2018-12-31")
	endpoint.until(t, "the build", func(got []event, _ int) bool { return len(got) == 3 })

	endpoint.answers(http.StatusInternalServerError)
	runs := []string{}
	for _, date := range []string{"2019-01-31", "2019-02-05", "2019-02-28"} {
		must(t, "import", "bars", until(t, market, date), "--data-dir", data)
		must(t, "refresh", "--data-dir", data)
		runs = append(runs, follows(t, c, "LEAD", date).LiveRunID)
	}
	endpoint.until(t, "an attempt", func(_ []event, refused int) bool { return refused > 0 })
	first.kill()
	endpoint.answers(http.StatusNoContent)
	_, c.url = serveProcess(t, data, flags...)
	var list struct {
		Data []struct{ ID, Status string }
	}
	if err := c.do(t.Context(), "GET", "/v1/webhooks/"+hook.ID+"/deliveries?status=pending", nil, &list); err != nil {
		t.Fatal(err)
	}
	for _, d := range list.Data { // send now instead of waiting for the next attempt
		err := c.do(t.Context(), "POST", "/v1/webhooks/"+hook.ID+"/deliveries/"+d.ID+"/redeliver", nil, nil)
		if err != nil && !strings.Contains(err.Error(), "not_found") { // a delivery without a change is deleted when its turn comes
			t.Fatal(err)
		}
	}
	// Two of the three refreshes brought a decision, and with it another target.
	want := []string{
		"webhook.test", "run.complete", "model.active",
		"run.complete " + runs[0], "allocation.changed " + runs[0], "run.complete " + runs[1], "run.complete " + runs[2], "allocation.changed " + runs[2],
	}
	got := endpoint.until(t, "everything", func(got []event, _ int) bool { return len(distinct(got)) >= len(want) })
	var told []string
	for i, e := range distinct(got) {
		if i > 2 {
			told = append(told, e.Type+" "+e.Data.RunID)
			continue
		}
		told = append(told, e.Type)
	}
	if strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("told:\n%s\nwant:\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	last := got[len(got)-1]
	if last.Data.Model.Symbol != "LEAD" || len(last.Data.After) == 0 || last.Data.After["CASH"] == last.Data.Before["CASH"] {
		t.Errorf("%+v", last)
	}

	// A mail that the kill cut off is sent again, under the same id.
	sentAgain := runs[0] + "@example.com"
	wanted := map[string]bool{sentAgain: true, runs[2] + "@example.com": true}
	settled(t, data, jobs.MailArgs{}.Kind())
	letters := byMessageID(mails.Messages())
	for id := range letters {
		if !wanted[id] {
			t.Errorf("a mail %s", id)
		}
	}
	if len(letters) != len(wanted) {
		t.Errorf("%d mails of %d", len(letters), len(wanted))
	}
	text := letters[sentAgain]
	for _, want := range []string{"To: <ann@example.com>", "Leader (LEAD) has a new allocation", "https://ballast.example/model/leader"} {
		if !strings.Contains(text, want) {
			t.Errorf("the mail has no %q:\n%s", want, text)
		}
	}
	var sheet struct {
		Schedule struct {
			LastNotifiedAt *time.Time `json:"last_notified_at"`
		}
	}
	if err := c.do(t.Context(), "GET", "/v1/models/LEAD", nil, &sheet); err != nil || sheet.Schedule.LastNotifiedAt == nil {
		t.Errorf("%+v %v", sheet, err)
	}
}

// settled waits until no job of a kind is pending.
func settled(t *testing.T, data, kind string) {
	t.Helper()
	c := service.Default()
	c.Storage.DataDir = data
	s, err := service.Open(t.Context(), c, slog.New(slog.DiscardHandler), service.SharedDatabase)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for deadline := time.Now().Add(90 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var left int
		if err := s.DB.Pool().QueryRow(t.Context(),
			"select count(*) from river_job where kind = $1 and finalized_at is null", kind).Scan(&left); err != nil {
			t.Fatal(err)
		}
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d jobs of kind %s are left", left, kind)
		}
	}
}

// byMessageID returns the text of mails by their Message-ID.
func byMessageID(all []smtpmock.Message) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		_, after, _ := strings.Cut(m.MsgRequest(), "Message-ID: <")
		if id, _, ok := strings.Cut(after, ">"); ok { // it arrived completely
			out[id] = m.MsgRequest()
		}
	}
	return out
}

// distinct removes repeated deliveries.
func distinct(all []event) []event {
	seen := map[string]bool{}
	var out []event
	for _, e := range all {
		if !seen[e.id] {
			seen[e.id] = true
			out = append(out, e)
		}
	}
	return out
}
