package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestReadiness(t *testing.T) {
	t.Parallel()
	failing := func(c *Config) {
		c.Ready = map[string]Check{"database": func(context.Context) error { return errors.New("password wrong") }}
	}
	h := newHarness(t, failing)
	a := h.send(t, "GET", "/readyz", "", "Authorization: ")
	if a.Code != http.StatusServiceUnavailable || !strings.Contains(a.body, `"database":"not ready"`) || strings.Contains(a.body, "password") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := newHarness(t).send(t, "GET", "/readyz", "", "Authorization: "); a.Code != http.StatusOK {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

func TestAccessLogAndMetrics(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.send(t, "GET", "/v1/models/SF", "", "X-Request-Id: r1")
	h.send(t, "GET", "/v1/nothing", "")
	logs := h.logs.String()
	for _, want := range []string{`"request_id":"r1"`, `"route":"/v1/models/{model}"`, `"status":200`, `"account_id":"` + alice + `"`, `"bytes":`, `"duration":`, `"route":"unmatched"`} {
		if !strings.Contains(logs, want) {
			t.Errorf("the log lacks %s: %s", want, logs)
		}
	}
	if strings.Contains(logs, aliceKey) {
		t.Error("the log holds a key")
	}
	metrics := h.send(t, "GET", "/metrics", "", "Authorization: ").body
	for _, want := range []string{
		`ballast_http_requests_total{method="GET",route="/v1/models/{model}",status="200"} 1`,
		`ballast_http_requests_total{method="GET",route="unmatched",status="404"} 1`,
		`ballast_http_requests_in_flight 1`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}
