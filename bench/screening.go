package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"ballast/catalog"
	"ballast/catalog/sample"
	"ballast/timeseries"
)

const (
	catalogAssets    = 193_000
	screeningClients = 64
)

// screening is the service that the catalog's rows share. The first of them imports the
// catalog.
type screening struct {
	service *service
	files   string        // what the catalog is, for people
	took    time.Duration // to import it
	assets  int
}

// screened starts a service with a whole catalog, once.
func (e *Env) screened(ctx context.Context) (*screening, error) {
	e.startCatalog.Do(func() { e.catalog, e.catalogFailed = e.prepareCatalog(ctx) })
	return e.catalog, e.catalogFailed
}

func (e *Env) prepareCatalog(ctx context.Context) (_ *screening, err error) {
	s, err := startService(ctx, e.Binary, "")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	c := &screening{service: s, files: fmt.Sprintf("%d real files", len(e.CatalogFiles))}
	files := e.CatalogFiles
	if len(files) == 0 || e.Smoke {
		c.files = "made up from a seed"
		file, err := writeCatalog(s.dir, e.count(catalogAssets, 3000))
		if err != nil {
			return nil, err
		}
		files = []string{file}
	}
	began := time.Now()
	if _, err := s.command(ctx, append([]string{"import", "catalog"}, files...)...); err != nil {
		return nil, err
	}
	c.took = time.Since(began)
	var page struct{ Total int }
	for c.assets == 0 { // the service shows an import within seconds
		if err := s.client.read(ctx, http.MethodGet, "/v1/assets?limit=1&delisted=true", nil, &page); err != nil {
			return nil, err
		}
		c.assets = page.Total
	}
	return c, nil
}

// writeCatalog writes a seeded catalog as a file to import.
func writeCatalog(dir string, n int) (path string, err error) {
	path = filepath.Join(dir, "catalog.csv")
	f, err := os.Create(filepath.Clean(path))
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(f, catalogText(sample.Assets(rand.New(rand.NewPCG(11, 0)), n)))
	return path, errors.Join(err, f.Close())
}

func catalogText(assets []*catalog.Asset) string {
	var b strings.Builder
	b.WriteString("symbol,name,type,exchange,currency,sector,family,aum,inception_date,summary\n")
	for i, a := range assets {
		aum, inception := "", ""
		if a.AUM != nil {
			aum = fmt.Sprintf("%.0f", *a.AUM)
		}
		if a.InceptionDate != timeseries.NoDate {
			inception = a.InceptionDate.String()
		}
		kind := catalog.Types[i%len(catalog.Types)]
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s,%s,%s,%s,%q\n", a.Symbol, a.Name, kind, a.Exchange, a.Currency, a.Sector, a.Issuer, aum, inception,
			"The "+a.Name+" seeks to track the investment results of an index, before fees and expenses, by a representative sample of its members.")
	}
	return b.String()
}

// catalogImport measures the import of a whole catalog, including its classification.
func catalogImport(e *Env) Row {
	return Row{
		Name: "import of the whole catalog, with classification", Key: "CatalogImport",
		Bar: "≤ 60 s", Limits: []Limit{{Figure: "import", Most: 60_000}},
		Measure: func(ctx context.Context) (Result, error) {
			c, err := e.screened(ctx)
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					milliseconds("import", c.took), {Name: "rate", Value: float64(c.assets) / c.took.Seconds(), Unit: "assets/s"},
				},
				Note: fmt.Sprintf("%d assets, %s, into an empty catalog, the service running", c.assets, c.files),
			}, nil
		},
	}
}

// filterSets returns sets of values for three filters.
func filterSets() [][3]string {
	var out [][3]string
	for _, country := range []string{"japan", "china", "germany", "india", "brazil", "united_kingdom", "canada", "switzerland"} {
		for _, kind := range []string{"etf", "fund"} {
			for _, class := range []string{"equity", "fixed_income"} {
				out = append(out, [3]string{kind, class, country})
			}
		}
	}
	return out
}

func filterPaths() []string {
	var out []string
	for _, f := range filterSets() {
		out = append(out, fmt.Sprintf("/v1/assets?type=%s&asset_class=%s&country=%s&include=facets", f[0], f[1], f[2]))
	}
	return out
}

// screenedFilters measures filters and facets with many callers at once.
func screenedFilters(e *Env) Row {
	return e.screenedRow(Row{
		Name: "screening, three filters and facets", Key: "Screening", Bar: "p99 ≤ 15 ms with 64 clients",
		Limits: []Limit{{Figure: "loaded p99", Most: 15}},
	}, filterPaths())
}

// screenedQueries measures searches with many callers at once.
func screenedQueries(e *Env) Row {
	return e.screenedRow(Row{
		Name: "screening, q", Key: "ScreeningQuery", Bar: "p99 ≤ 20 ms with 64 clients",
		Limits: []Limit{{Figure: "loaded p99", Most: 20}},
	}, []string{
		"/v1/assets?q=spy", "/v1/assets?q=gold", "/v1/assets?q=vanguard+total", "/v1/assets?q=japan+small+cap", "/v1/assets?q=btc",
		"/v1/assets?q=ish+world+eq", "/v1/assets?q=a", "/v1/assets?q=fund&type=fund",
	})
}

// record measures the read of one record.
func record(e *Env) Row {
	return e.screenedRow(Row{Name: "an asset's record", Key: "AssetRecord"}, []string{"/v1/assets/A", "/v1/assets/B", "/v1/assets/C"})
}

// screenedRow measures paths in turn, first with one caller, then with many who never
// pause.
func (e *Env) screenedRow(r Row, paths []string) Row {
	r.Measure = func(ctx context.Context) (Result, error) {
		c, err := e.screened(ctx)
		if err != nil {
			return Result{}, err
		}
		var turn atomic.Int64
		get := func(ctx context.Context) error {
			return c.service.client.drain(ctx, paths[int(turn.Add(1))%len(paths)])
		}
		one, err := repeat(ctx, e.count(1000, 50), func() error { return get(ctx) })
		if err != nil {
			return Result{}, err
		}
		loaded, wall, err := load(ctx, screeningClients, time.Duration(e.count(6000, 500))*time.Millisecond, get)
		if err != nil {
			return Result{}, err
		}
		return Result{
			Figures: []Figure{
				milliseconds("p50", one.median()), milliseconds("p99", one.percentile(0.99)),
				milliseconds("loaded p50", loaded.median()), milliseconds("loaded p99", loaded.percentile(0.99)),
				{Name: "throughput", Value: float64(len(loaded)) / wall.Seconds(), Unit: "requests/s"},
			},
			Note: fmt.Sprintf("%d assets, %s; pages of 50; one client, then %d that never pause, on the same machine", c.assets, c.files, screeningClients),
		}, nil
	}
	return r
}

// drain reads a response without keeping it, as a caller does who streams it.
func (c *client) drain(ctx context.Context, path string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", path, answer.Status)
	}
	return nil
}
