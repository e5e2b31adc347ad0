package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/google/go-cmp/cmp"

	"ballast/api/transport"
	"ballast/catalog"
	"ballast/export"
	"ballast/internal/fault"
	"ballast/timeseries"
)

// fakeTables opens exports over a catalog of pages, the last of which may fail.
type fakeTables struct {
	pages int
	fails error // instead of the last page
	holds chan struct{}

	mu      sync.Mutex
	queries []export.Query
	account string
	ended   int // exports whose context has ended
}

func (f *fakeTables) Open(ctx context.Context, accountID string, q export.Query) (*export.Rows, error) {
	f.mu.Lock()
	f.queries, f.account = append(f.queries, q), accountID
	f.mu.Unlock()
	context.AfterFunc(ctx, func() {
		f.mu.Lock()
		f.ended++
		f.mu.Unlock()
	})
	if slices.Contains(q.Models, "none") {
		return nil, fault.New(fault.NotFound, "There is no model %q.", "none")
	}
	q.Table = export.Assets
	return export.NewService(export.Config{Assets: f}).Open(ctx, accountID, q)
}

const tablePage = 500

func (f *fakeTables) AssetsAfter(ctx context.Context, _ catalog.Filter, after string, _ int) ([]*catalog.Asset, error) {
	page := 0
	if after != "" {
		if _, err := fmt.Sscanf(after, "S%d", &page); err != nil {
			return nil, err
		}
		page = page/tablePage + 1
	}
	if page == f.pages-1 && f.fails != nil {
		return nil, f.fails
	}
	if page == f.pages-1 && f.holds != nil {
		select {
		case <-f.holds:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if page >= f.pages {
		return nil, nil
	}
	out := make([]*catalog.Asset, tablePage)
	for i := range out {
		n := page*tablePage + i
		out[i] = &catalog.Asset{
			ID: fmt.Sprintf("asset_%d", n), Symbol: fmt.Sprintf("S%09d", n), Name: "name", Leverage: 1,
			InceptionDate: timeseries.NoDate, FirstPriceDate: timeseries.NoDate, LastPriceDate: timeseries.NoDate,
		}
	}
	return out, nil
}

func withTables(f *fakeTables) func(*Config) { return func(c *Config) { c.Exports = f } }

// manyPages is more than is held back, and more than a row group.
const manyPages = 300

func TestExportFormats(t *testing.T) {
	t.Parallel()
	h := newHarness(t, withTables(&fakeTables{pages: 3}))
	for _, test := range []struct {
		accept, want string
	}{
		{"", transport.MediaParquet},
		{"*/*", transport.MediaParquet},
		{transport.MediaParquet, transport.MediaParquet},
		{transport.MediaArrow, transport.MediaArrow},
		{transport.MediaParquet + ";q=0.5, " + transport.MediaArrow, transport.MediaArrow},
		{"application/*", transport.MediaParquet},
		{"application/json", transport.MediaParquet},
		{"text/csv", transport.MediaParquet},
		{transport.MediaParquet + ";q=0", transport.MediaParquet},
	} {
		a := h.send(t, "GET", "/v1/exports/assets", "", "Accept: "+test.accept)
		if a.Code != http.StatusOK || a.Header().Get("Content-Type") != test.want {
			t.Errorf("%q: %d %s", test.accept, a.Code, a.Header().Get("Content-Type"))
			continue
		}
		switch {
		case test.want == transport.MediaArrow:
			reader, err := ipc.NewReader(strings.NewReader(a.body))
			if err != nil {
				t.Fatal(err)
			}
			n := int64(0)
			for reader.Next() {
				n += reader.RecordBatch().NumRows()
			}
			if n != 3*tablePage || reader.Err() != nil {
				t.Errorf("%d rows, %v", n, reader.Err())
			}
		case !strings.HasPrefix(a.body, "PAR1") || !strings.HasSuffix(a.body, "PAR1"):
			t.Errorf("%q: not Parquet", test.accept)
		}
	}
	a := h.send(t, "GET", "/v1/exports/assets", "")
	if a.Header().Get("ETag") != "" || a.Header().Get("Content-Disposition") != `attachment; filename="assets.parquet"` {
		t.Errorf("head %v", a.Header())
	}
	head := h.send(t, "HEAD", "/v1/exports/assets", "")
	if head.Code != http.StatusOK || head.body != "" || head.Header().Get("Content-Type") != transport.MediaParquet {
		t.Errorf("HEAD: %d, %d bytes, %v", head.Code, len(head.body), head.Header())
	}
}

func TestExportQueries(t *testing.T) {
	t.Parallel()
	f := &fakeTables{pages: 1}
	h := newHarness(t, withTables(f))
	from, to := timeseries.NewDate(2020, 1, 2), timeseries.NewDate(2020, 12, 31)
	for target, want := range map[string]export.Query{
		"assets?q=gold&type=etf&delisted=true": {Table: export.Assets, Assets: catalog.Filter{Query: "gold", Type: "etf", Delisted: true}},
		"bars":                                 {Table: export.Bars},
		"bars?symbols=SPY,agg&symbol=GLD&start_date=2020-01-02&end_date=2020-12-31": {Table: export.Bars, Symbols: []string{"SPY", "agg", "GLD"}, Start: from, End: to},
		"returns?run_ids=run_1&run_id=run_2&start_date=2020-01-02":                  {Table: export.Returns, RunIDs: []string{"run_1", "run_2"}, Start: from},
		"allocations":                       {Table: export.Allocations},
		"runs?status=failed&source=refresh": {Table: export.Runs, Status: "failed", Source: "refresh"},
	} {
		if want.Start == 0 {
			want.Start = timeseries.NoDate
		}
		if want.End == 0 {
			want.End = timeseries.NoDate
		}
		f.queries = nil
		if a := h.send(t, "GET", "/v1/exports/"+target, ""); a.Code != http.StatusOK {
			t.Errorf("%s: %d %s", target, a.Code, a.body)
			continue
		}
		if d := cmp.Diff([]export.Query{want}, f.queries); d != "" || f.account != alice {
			t.Errorf("%s, of %s: %s", target, f.account, d)
		}
	}
}

// Each list of an export has its own bound, also where two name the same.
func TestExportListsHaveTheirOwnBounds(t *testing.T) {
	t.Parallel()
	tables := &fakeTables{pages: 1}
	h := newHarness(t, withTables(tables))
	list := strings.Repeat("SF,", transport.MaxListed-1) + "SF"
	for target, named := range map[string]func(export.Query) int{
		"bars?symbols=" + list + "&symbol=" + list: func(q export.Query) int { return len(q.Symbols) },
		"runs?models=" + list + "&model=" + list:   func(q export.Query) int { return len(q.Models) },
	} {
		tables.queries = nil
		a := h.send(t, "GET", "/v1/exports/"+target, "")
		if a.Code != http.StatusOK || len(tables.queries) != 1 || named(tables.queries[0]) != 2*transport.MaxListed {
			t.Errorf("%.20s: %d %s", target, a.Code, a.Header())
		}
	}
}

func TestExportRefusals(t *testing.T) {
	t.Parallel()
	h := newHarness(t, withTables(&fakeTables{pages: 1, fails: errors.New("the disk is gone")}))
	for _, test := range []struct {
		target  string
		headers []string
		status  int
		kind    fault.Type
		where   string
	}{
		{target: "/v1/exports/prices", status: 404, kind: fault.NotFound},
		{target: "/v1/exports/bars", headers: []string{"Authorization: "}, status: 401, kind: fault.Unauthenticated},
		{target: "/v1/exports/bars?limit=5", status: 422, kind: fault.InvalidParameter, where: "query.limit"},
		{target: "/v1/exports/bars?start_date=2020", status: 422, kind: fault.InvalidParameter, where: "query.start_date"},
		{target: "/v1/exports/bars?start_date=2020-01-02&end_date=2020-01-01", status: 422, kind: fault.InvalidParameter, where: "query.end_date"},
		{target: "/v1/exports/bars?symbols=" + strings.Repeat("A,", 1000) + "A", status: 422, kind: fault.InvalidParameter, where: "query.symbols"},
		{target: "/v1/exports/runs?status=done", status: 422, kind: fault.InvalidParameter, where: "query.status"},
		{target: "/v1/exports/assets?type=bond", status: 422, kind: fault.InvalidParameter, where: "query.type"},
		{target: "/v1/exports/returns?models=none", status: 404, kind: fault.NotFound},
		{target: "/v1/exports/assets", status: 500, kind: fault.Internal},
	} {
		a := h.send(t, "GET", test.target, "", append([]string{"Accept: " + transport.MediaArrow}, test.headers...)...)
		e := a.refusal(t)
		if a.Code != test.status || e.Type != string(test.kind) || test.where != "" && (len(e.Details) != 1 || e.Details[0].Location != test.where) {
			t.Errorf("%s: %d %s", test.target, a.Code, a.body)
		}
		if a.Header().Get("Content-Disposition") != "" {
			t.Errorf("%s: an error is a file", test.target)
		}
	}
	if a := newHarness(t).send(t, "GET", "/v1/exports/bars", ""); a.Code != http.StatusServiceUnavailable {
		t.Errorf("without exports: %d", a.Code)
	}
}

// TestExportsThatFail fail before anything was sent, and after.
func TestExportsThatFail(t *testing.T) {
	t.Parallel()
	for _, media := range exportMedia {
		h := newHarness(t, withTables(&fakeTables{pages: 3, fails: errors.New("the disk is gone")}))
		if a := h.send(t, "GET", "/v1/exports/assets", "", "Accept: "+media); a.Code != http.StatusInternalServerError || a.refusal(t).Type != string(fault.Internal) {
			t.Errorf("%s, before anything was sent: %d %s", media, a.Code, a.body)
		}
		late := newHarness(t, withTables(&fakeTables{pages: manyPages, fails: errors.New("the disk is gone")}))
		server := httptest.NewServer(late)
		body, err := read(t, server.URL, media)
		server.Close()
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(body) < heldBack {
			t.Errorf("%s: %d bytes, then %v", media, len(body), err)
		}
		if bytes.HasSuffix(body, []byte("PAR1")) || bytes.HasSuffix(body, []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}) {
			t.Errorf("%s: a part has the mark of the whole", media)
		}
		if logs := late.logs.String(); !strings.Contains(logs, "the disk is gone") || !strings.Contains(logs, `"route":"/v1/exports/assets"`) {
			t.Errorf("%s: logs %s", media, logs)
		}
		if got := inFlight(t, late); got != 0 {
			t.Errorf("%s: %v requests in flight", media, got)
		}
	}
}

// TestCallersThatGo end their exports.
func TestCallersThatGo(t *testing.T) {
	t.Parallel()
	f := &fakeTables{pages: manyPages, holds: make(chan struct{})}
	h := newHarness(t, withTables(f))
	server := httptest.NewServer(h)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/v1/exports/assets", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+aliceKey)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadFull(response.Body, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	cancel()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		f.mu.Lock()
		ended := f.ended
		f.mu.Unlock()
		if ended == 1 && inFlight(t, h) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d ended, %v in flight", ended, inFlight(t, h))
		}
	}
}

func read(t *testing.T, url, media string) ([]byte, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/exports/assets", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+aliceKey)
	r.Header.Set("Accept", media)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %d", response.StatusCode)
	}
	return io.ReadAll(response.Body)
}

// inFlight is the gauge of requests being answered.
func inFlight(t *testing.T, h *harness) float64 {
	t.Helper()
	families, err := h.Gatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "ballast_http_requests_in_flight" {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatal("no gauge of requests in flight")
	return 0
}
