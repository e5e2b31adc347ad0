package metrics_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"testing"

	"ballast/metrics"
)

// peersFile has the results of other libraries on the oracle. peers.py, next to it,
// regenerates it.
type peersFile struct {
	Versions                   map[string]string
	Quantstats, Empyrical, FFN map[string]float64
}

func readPeers(t *testing.T, text []byte) peersFile {
	t.Helper()
	var peers peersFile
	if err := json.Unmarshal(text, &peers); err != nil {
		t.Fatalf("read the results of the peers: %v", err)
	}
	return peers
}

func recordedPeers(t *testing.T) peersFile {
	t.Helper()
	text, err := os.ReadFile("testdata/peers.json")
	if err != nil {
		t.Fatal(err)
	}
	return readPeers(t, text)
}

// TestPeers compares the block with all results of quantstats, empyrical and ffn on the
// oracle: directly if the convention is the same, and otherwise after the conversion
// that docs/metrics.md describes.
func TestPeers(t *testing.T) {
	s, b := oracle()
	options := metrics.Options{
		BarsPerYear: 252, Benchmark: &metrics.BenchmarkSeries{Symbol: "BENCH", Series: b},
		GrossExposure: ones(len(s.Returns)), Trials: 6, TrialSharpeVariance: 0.14,
	}
	ours := said(t, metrics.Compute(s, options))
	ours["max_drawdown"] = ours["max_drawdown.value"]
	options.RiskFree = 0.02
	for name, v := range said(t, metrics.Compute(s, options)) {
		ours[name+" rf"] = v
	}
	converted := conversions(s.Returns, ours)

	peers := recordedPeers(t)
	for peer, figures := range map[string]map[string]float64{
		"quantstats": peers.Quantstats, "empyrical": peers.Empyrical, "ffn": peers.FFN,
	} {
		if len(figures) < 20 {
			t.Errorf("%d figures of %s", len(figures), peer)
		}
		for name, theirs := range figures {
			want, differs := converted[peer][name]
			if !differs {
				want = ours[name]
			}
			near(t, peer+", "+name, theirs, want, 1e-9*max(1, math.Abs(want)))
			if differs && math.Abs(theirs-ours[name]) < 1e-9 {
				t.Errorf("%s, %s: the same as ours, although the table says it differs", peer, name)
			}
		}
	}
}

// conversions compute from our values those of the peers whose conventions differ.
func conversions(returns []float64, ours map[string]float64) map[string]map[string]float64 {
	n := float64(len(returns))
	growth := 1 + ours["total_return"]
	byBars := math.Pow(growth, 252/n) - 1
	calmar := byBars / -ours["max_drawdown"]
	information := ours["benchmark.information_ratio"] / math.Sqrt(252)
	m := metrics.MomentsOf(returns)
	const (
		z       = -1.6448536269514722 // Φ⁻¹(0.05)
		density = 0.10313564037537139 // φ(z)
	)
	withBase := math.Sqrt(n / (n + 1)) // a mean square over one more value
	return map[string]map[string]float64{
		"quantstats": {
			"cagr": byBars, "calmar": calmar,
			"ulcer_index":                            ours["ulcer_index"] * math.Sqrt(n/(n-1)),
			"ulcer_performance_index":                ours["total_return"] / (ours["ulcer_index"] * math.Sqrt(n/(n-1))),
			"value_at_risk_5":                        m.Mean + z*m.Deviation,
			"conditional_value_at_risk_5":            m.Mean - m.Deviation*density/0.05,
			"conditional_value_at_risk_5 historical": ours["conditional_value_at_risk_5"],
			"benchmark.information_ratio":            information,
		},
		"empyrical": {
			"cagr": byBars, "calmar": calmar,
			"benchmark.alpha":             math.Pow(1+ours["benchmark.alpha"]/252, 252) - 1,
			"benchmark.information_ratio": information,
		},
		"ffn": {
			"ulcer_index":                 100 * ours["ulcer_index"] * withBase,
			"ulcer_performance_index":     ours["ulcer_performance_index"] / withBase,
			"best_year":                   0.129628584, // 2019: the first year, which is the best, is left out
			"positive_months":             48.0 / 57,   // without the first month
			"benchmark.information_ratio": information,
		},
	}
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// If BALLAST_PEERS_PYTHON names a Python with the peers installed, they are run again and
// compared with the recorded results.
func TestPeersSayWhatIsRecorded(t *testing.T) {
	python := os.Getenv("BALLAST_PEERS_PYTHON")
	if python == "" {
		t.Skip("BALLAST_PEERS_PYTHON names no Python with quantstats, empyrical and ffn")
	}
	text, err := exec.CommandContext(t.Context(), python, "testdata/peers.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	now, recorded := readPeers(t, text), recordedPeers(t)
	for peer, pair := range map[string][2]map[string]float64{
		"quantstats": {now.Quantstats, recorded.Quantstats}, "empyrical": {now.Empyrical, recorded.Empyrical}, "ffn": {now.FFN, recorded.FFN},
	} {
		for name, want := range pair[1] {
			if got, ok := pair[0][name]; !ok || math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
				t.Errorf("%s (%v), %s: %v now, recorded %v", peer, now.Versions, name, got, want)
			}
		}
	}
}
