package download_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// TestServiceGivesTheSameAsFiles makes a download read its members from a server that
// answers like the service: an asset, a delisted one, one that trades every day, and a
// model by its name.
func TestServiceGivesTheSameAsFiles(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	all := m.load(t, m.paths["synthetic"])
	coin := m.load(t, m.paths["coins"])["COIN"]
	member := scenario{name: "member", source: plain, bars: []string{"synthetic"}}.run(t, m).result.Series()
	mux := http.NewServeMux()
	answer := func(path string, v any) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer bk_secret" {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprint(w, `{"error": {"type": "unauthenticated", "message": "The key is not known."}}`)
				return
			}
			_ = json.NewEncoder(w).Encode(v)
		})
	}
	asset := func(symbol string, s timeseries.Series, delisted bool) {
		answer("/v1/assets/"+symbol, map[string]any{"symbol": symbol, "first_price_date": s.Base, "delisted": delisted})
		answer("/v1/assets/"+symbol+"/history", map[string]any{"base": s.Base, "dates": s.Dates, "returns": s.Returns})
	}
	asset("A", all["A"].Series, false)
	asset("DEAD", all["DEAD"].Series, true)
	asset("COIN", coin.Series, false)
	answer("/v1/models/{name}", map[string]any{"id": "model_1", "metadata": map[string]any{"alignment": map[string]any{"bars_per_year": 252}}})
	answer("/v1/models/model_1/history", map[string]any{
		"window": map[string]any{"base": member.Base}, "dates": member.Dates, "returns": member.Returns,
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	source := strings.NewReplacer(`["A", "B"]`, `["a", "DEAD", "COIN", "My plain one/two"]`, `{"A": 0.5, "B": 0.25}`,
		`{s: 0.9 / len(ctx.universe) for s in ctx.universe}`).Replace(plain)
	folder := t.TempDir()
	out := folder + "/out"
	model := save(t, folder, "model.py", render(t, source))
	answers := runAll(t, []request{
		{model, []string{"--json", "--out", out, "--url", server.URL + "/v1/", "--key", "bk_secret"}},
		{model, []string{"--url", server.URL, "--key", "bk_wrong"}},
	})
	if a := answers[0]; a.Code != 0 {
		t.Fatal(a.Errors)
	}
	if a := answers[1]; a.Code != 2 || !strings.Contains(a.Errors, " does not accept the key; give a valid one with --key") {
		t.Errorf("%d %s", a.Code, a.Errors)
	}
	p, problems := script.Check(source, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	frame, err := timeseries.Align([]timeseries.Source{
		{Key: "a", Series: all["A"].Series}, {Key: "DEAD", Series: all["DEAD"].Series, Delisted: true},
		{Key: "COIN", Series: coin.Series, SevenDay: true}, {Key: "My plain one/two", Series: member},
	})
	if err != nil {
		t.Fatal(err)
	}
	inputs, _ := p.Bind(nil)
	runner, err := script.NewRunner(p, inputs, frame, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := backtest.Run(t.Context(), frame, p.Spec(inputs), runner, backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	d := &differences{T: t}
	d.compare(wholeOf(result, frame.BarsPerYear, runner.Log()), answers[0], out)
}
