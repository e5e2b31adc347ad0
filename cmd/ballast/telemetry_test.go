package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"ballast/internal/testenv"
)

// expressions are the queries of the dashboard and the alert rules, by title.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := testenv.Root(t)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "deploy", "dashboard.json"))
	if err == nil {
		err = json.Unmarshal(text, &dashboard)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			found["panel "+p.Title+": "+target.Expr] = target.Expr
		}
	}
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	file, err := os.Open(filepath.Join(root, "deploy", "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	strict := yaml.NewDecoder(file)
	strict.KnownFields(true)
	if err := strict.Decode(&rules); err != nil {
		t.Fatal(err)
	}
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			if _, err := time.ParseDuration(r.For); err != nil || r.Alert == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["action"] == "" {
				t.Errorf("the rule %q is not whole (%v)", r.Alert, err)
			}
			found["alert "+r.Alert] = r.Expr
		}
	}
	if len(found) < 30 {
		t.Fatalf("found %d queries", len(found))
	}
	return found
}

var (
	metricName = regexp.MustCompile(`\b(?:ballast|process|go)_[a-z0-9_]+`)
	labelText  = regexp.MustCompile(`"[^"]*"`)
)

// scrape reads the names of the metrics at an address.
func scrape(t *testing.T, url string) map[string]bool {
	t.Helper()
	r, err := http.Get(url) //nolint:noctx,gosec // the test's own service
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			names[metricName.FindString(line)] = true
		}
	}
	return names
}

// A service and a worker export all metrics that the dashboard and the alerts use.
func TestDashboardAndAlertsAskForMetricsThatExist(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p, url := serveProcess(t, data, "--private-listen", "127.0.0.1:0")
	c := caller(t, data, url)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	sheet := demoSheet{}
	if err := c.do(t.Context(), "POST", "/v1/models", map[string]string{"script": fixedWeights("Half", "HALF", "KA", 0.5, "KB", 0.5)}, &sheet); err != nil {
		t.Fatal(err)
	}
	for sheet.Run != nil {
		time.Sleep(20 * time.Millisecond)
		sheet = demoSheet{}
		if err := c.do(t.Context(), "GET", "/v1/models/HALF", nil, &sheet); err != nil {
			t.Fatal(err)
		}
	}
	var history struct{}
	if err := c.do(t.Context(), "GET", "/v1/models/HALF/history", nil, &history); err != nil {
		t.Fatal(err)
	}
	private := p.private(t)
	told := scrape(t, private+"/metrics")
	// The run is published a moment before its job ends.
	for deadline := time.Now().Add(time.Minute); !told["ballast_job_seconds_count"] && time.Now().Before(deadline); told = scrape(t, private+"/metrics") {
		time.Sleep(20 * time.Millisecond)
	}
	for where, expression := range expressions(t) {
		for _, name := range metricName.FindAllString(labelText.ReplaceAllString(expression, `""`), -1) {
			if !told[name] {
				t.Errorf("%s asks for %s, which the service does not tell", where, name)
			}
		}
	}
}

var privateAddress = regexp.MustCompile(`"metrics and profiles","url":"(http://[^"]+)"`)

// private returns the address of the process's private listener.
func (p *process) private(t *testing.T) string {
	t.Helper()
	p.says(t, "metrics and profiles")
	return privateAddress.FindStringSubmatch(p.logs())[1]
}

// Callers of the interface see the metrics only if the operator allows it.
func TestMetricsArePrivate(t *testing.T) {
	t.Parallel()
	_, url := serveProcess(t, t.TempDir(), "--private-listen", "127.0.0.1:0")
	_, open := serveProcess(t, t.TempDir(), "--public-metrics")
	if told := scrape(t, url+"/metrics"); len(told) > 1 {
		t.Errorf("the interface tells %d metrics", len(told))
	}
	if told := scrape(t, open+"/metrics"); !told["ballast_http_requests_in_flight"] {
		t.Error("public metrics are not told")
	}
}

func TestWorkerTellsMetrics(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	serveProcess(t, data)
	w := launch(t, "worker", "--data-dir", data, "--private-listen", "127.0.0.1:0", "--log-format", "json")
	told := scrape(t, w.private(t)+"/metrics")
	for _, name := range []string{"ballast_workers", "ballast_workers_busy", "ballast_sandbox_warm", "ballast_db_connections", "ballast_duckdb_memory_bytes", "process_resident_memory_bytes"} {
		if !told[name] {
			t.Errorf("a worker does not tell %s", name)
		}
	}
	if told["ballast_queue_jobs"] {
		t.Error("a worker tells of the installation's queue: services do")
	}
}
