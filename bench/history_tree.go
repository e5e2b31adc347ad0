package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

const (
	treeAssets = 50
	treePath   = "/v1/models/TREE/history?include=returns,allocation,tree,latest,custom,metrics,fees,contribution" +
		"&management_fee=0.01&financing_rate=0.05&commission_bps=2&slippage_bps=3"
)

// historyTree measures every block of a model of models of models.
func historyTree(e *Env) Row {
	grown := false
	return Row{
		Name: "GET history, 20 years, every block of a tree of 50 assets", Key: "HistoryTree",
		Bar:    "p50 ≤ 25 ms",
		Limits: []Limit{{Figure: "p50", Most: 25}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			if !grown {
				if err := s.growTree(ctx); err != nil {
					return Result{}, err
				}
				grown = true
			}
			var size int64
			took, err := repeat(ctx, e.count(300, 10), func() (err error) {
				size, err = s.client.fetch(ctx, io.Discard, "application/json", treePath)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			arrow, err := repeat(ctx, e.count(300, 10), func() error {
				_, err := s.client.fetch(ctx, io.Discard, "application/vnd.apache.arrow.stream", treePath)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99)),
					milliseconds("Arrow p50", arrow.median()),
				},
				Note: fmt.Sprintf("%.1f MB of JSON; 3 levels of models over %d assets, monthly; one client on a kept connection, on the same machine", float64(size)/1e6, treeAssets),
			}, nil
		},
	}
}

// growTree imports 50 assets and builds ten models of five assets each, three models of
// those, and TREE, which holds the three.
func (s *service) growTree(ctx context.Context) error {
	path := filepath.Join(s.dir, "tree.csv")
	f, err := os.Create(filepath.Clean(path))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := errors.Join(treeMarket(w), w.Flush(), f.Close()); err != nil {
		return err
	}
	if err := s.importBars(ctx, path); err != nil {
		return err
	}
	var branches, limbs []string
	for i := range treeAssets / 5 {
		var leaves []string
		for k := range 5 {
			leaves = append(leaves, treeSymbol(5*i+k))
		}
		branches = append(branches, fmt.Sprintf("BRANCH-%d", i))
		if _, err := s.client.build(ctx, "models", evenScript(branches[i], leaves)); err != nil {
			return err
		}
	}
	for i, members := range [][]string{branches[:3], branches[3:6], branches[6:]} {
		limbs = append(limbs, fmt.Sprintf("LIMB-%d", i))
		if _, err := s.client.build(ctx, "models", evenScript(limbs[i], members)); err != nil {
			return err
		}
	}
	_, err = s.client.build(ctx, "models", evenScript("TREE", limbs))
	return err
}

func treeSymbol(i int) string { return fmt.Sprintf("TREE-%02d", i) }

func treeMarket(w io.Writer) error {
	if _, err := io.WriteString(w, "symbol,date,close,adj_close\n"); err != nil {
		return err
	}
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2004, time.January, 1))
	for i := range treeAssets {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		price := 100.0
		for t := range marketSessions {
			if t > 0 {
				price *= 1.0003 + 0.01*rng.NormFloat64()
			}
			if _, err := fmt.Fprintf(w, "%s,%s,%.4f,%.6f\n", treeSymbol(i), cal.Session(first+t), price, price); err != nil {
				return err
			}
		}
	}
	return nil
}

// evenScript holds a tenth in cash and the rest in equal parts in its members, and
// records one diagnostic.
func evenScript(symbol string, members []string) string {
	return fmt.Sprintf(`NAME = "%[1]s"
SYMBOL = "%[1]s"
SCHEDULE = "monthly"
UNIVERSE = ["%[2]s"]


def decide(ctx):
    ctx.record("members", len(ctx.universe))
    return {s: 0.9 / len(ctx.universe) for s in ctx.universe}
`, symbol, strings.Join(members, `", "`))
}

// fetch requests a path with a media type and writes the response to w.
func (c *client) fetch(ctx context.Context, w io.Writer, media, path string) (size int64, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Accept", media)
	response, err := c.http.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("GET %s as %s: %s", path, media, response.Status)
	}
	return io.Copy(w, response.Body)
}
