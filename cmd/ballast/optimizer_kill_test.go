package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// TestKilledWhileAnOptimizerChanges changes an optimizer that models use, and kills the
// service with -9 at a random moment after each change. Every result must come from one
// version alone, the one that it names, and in the end from the latest.
func TestKilledWhileAnOptimizerChanges(t *testing.T) {
	t.Parallel()
	testenv.NotInTest(t)
	if runtime.GOOS != "linux" {
		t.Skip("kills processes as Linux does")
	}
	const models = 8
	random := rand.New(rand.NewPCG(testenv.Seed(t, uint64(time.Now().UnixNano())), 3))
	binary.Path(t)
	data := t.TempDir()
	p, url := serveProcess(t, data, "--daily-run-limit", "100000")
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	ctx := t.Context()
	share := func(version int) float64 { return float64(version) / 1000 }
	limits := func(version int) map[string]any {
		return map[string]any{"default": []float64{0, 1}, "KA": []float64{share(version), share(version)}}
	}
	if err := c.do(ctx, "POST", "/v1/optimizers", map[string]any{"name": "ALLOC", "objective": "min_variance", "bounds": limits(1)}, nil); err != nil {
		t.Fatal(err)
	}
	ids := make([]string, models)
	for i := range ids {
		script := fmt.Sprintf(`from harness import optimize

NAME = "Driven %d"
SCHEDULE = "weekly"
UNIVERSE = ["KA", "KB"]


def decide(ctx):
    if ctx.sessions("KA") < 20 or ctx.sessions("KB") < 20:
        return None
    weights = optimize("ALLOC", ctx.panel(ctx.universe, 20))
    ctx.record("share", weights["KA"])
    return weights
`, i)
		var created struct{ ID string }
		if err := c.do(ctx, "POST", "/v1/models", map[string]string{"script": script}, &created); err != nil {
			t.Fatal(err)
		}
		ids[i] = created.ID
	}
	type sheet struct {
		Status   string
		Metadata struct{ Optimizers []struct{ Version int } }
	}
	// versionOf returns the version that the live result names, after checking that every
	// decision follows it. It is 0 if there is no result, or another one since.
	versionOf := func(id string) int {
		var before, after sheet
		var history struct {
			Custom struct{ Series map[string][]*float64 }
		}
		if c.do(ctx, "GET", "/v1/models/"+id, nil, &before) != nil ||
			c.do(ctx, "GET", "/v1/models/"+id+"/history?include=custom", nil, &history) != nil ||
			c.do(ctx, "GET", "/v1/models/"+id, nil, &after) != nil || len(after.Metadata.Optimizers) != 1 || len(before.Metadata.Optimizers) != 1 {
			return 0
		}
		version := after.Metadata.Optimizers[0].Version
		if version != before.Metadata.Optimizers[0].Version {
			return 0
		}
		values := 0
		for _, v := range history.Custom.Series["share"] {
			if v == nil {
				continue
			}
			values++
			if math.Abs(*v-share(version)) > 1e-12 {
				t.Fatalf("the result names version %d, but a decision has %v, not %v", version, *v, share(version))
			}
		}
		if values == 0 {
			t.Fatal("the result has no decisions")
		}
		return version
	}
	version := 1
	for range testenv.Rounds(4, 30) {
		for range 1 + random.IntN(2) {
			version++
			if err := c.do(ctx, "PATCH", "/v1/optimizers/ALLOC", map[string]any{"bounds": limits(version)}, nil); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond) // a random moment
		}
		p.kill()
		p, c.url = serveProcess(t, data, "--daily-run-limit", "100000")
		for _, id := range ids {
			if v := versionOf(id); v > version {
				t.Fatalf("a result of version %d, before it exists", v)
			}
		}
	}
	for _, id := range ids {
		eventually(t, "the model follows the latest version", func() bool {
			var s sheet
			return versionOf(id) == version && c.do(ctx, "GET", "/v1/models/"+id, nil, &s) == nil && s.Status == "active"
		})
	}
}
