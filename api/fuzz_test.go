package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzQuery sends any query to an operation that has every kind of parameter:
// it answers 200, 400 or 422, never fails, and always in a shape of the document.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "include=returns,metrics&start_date=2004-01-01", "include=", "limit=0", "a=b;c=d", "risk_free=1e999", "include=returns&include=%00",
		"start_date=0000-00-00", "full_history=TRUE", "%", "=&=", "run_id=%ff", "risk_free=-1&risk_free=2",
	} {
		f.Add(seed)
	}
	h := newHarness(f)
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/v1/models/SF/history", nil)
		r.URL.RawQuery = query
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity:
		default:
			t.Fatalf("%q: %d %s", query, w.Code, w.Body)
		}
		h.validate(t, r, answer{w, w.Body.String()})
	})
}

// FuzzBody sends any body to the operation that starts runs.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "null", "[]", `{"inputs":{"a":[1,{"b":null}]}}`, `{"inputs":null}`, `{"wait":1}`, `{"intent":"test","intent":"refresh"}`,
		`{"":""}`, `{"label":"\ud800"}`, "{\"label\":\"\x00\"}", `{"inputs":1e999}`, strings.Repeat("[", 20000), " ", `{"label":"a"}x`,
	} {
		f.Add(seed)
	}
	h := newHarness(f)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/v1/models/SF/runs", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case http.StatusAccepted, http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		default:
			t.Fatalf("%q: %d %s", body, w.Code, w.Body)
		}
		if w.Code < 300 && body != "" && !json.Valid([]byte(body)) {
			t.Fatalf("%q was accepted", body)
		}
		h.validate(t, r, answer{w, w.Body.String()})
	})
}

// FuzzValidate sends any prompt to be validated.
func FuzzValidate(f *testing.F) {
	for _, seed := range []string{"SPY", "", " ", "horoscope", "\x00", "60% SPY, 40% AGG", strings.Repeat("1.5.", 6000), "½\u2028"} {
		f.Add(seed)
	}
	h := newHarness(f)
	f.Fuzz(func(t *testing.T, prompt string) {
		body, err := json.Marshal(map[string]string{"prompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, "/v1/models/validate", strings.NewReader(string(body)))
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case http.StatusOK, http.StatusUnprocessableEntity:
		default:
			t.Fatalf("%q: %d %s", prompt, w.Code, w.Body)
		}
		h.validate(t, r, answer{w, w.Body.String()})
	})
}
