package api

import (
	"bytes"
	"encoding/csv"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"ballast/api/transport"
	"ballast/program/history"
)

func TestAcceptChoosesTheFormat(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for accept, want := range map[string]string{
		"":                                    transport.MediaJSON,
		"*/*":                                 transport.MediaJSON,
		" ,":                                  transport.MediaJSON,
		"application/*":                       transport.MediaJSON,
		transport.MediaArrow:                  transport.MediaArrow,
		transport.MediaParquet:                transport.MediaParquet,
		"text/*":                              transport.MediaCSV,
		"text/csv, application/json":          transport.MediaJSON, // liked as well: the first that is offered
		"text/csv, application/json;q=0.9":    transport.MediaCSV,
		"application/json;q=0.1, */*;q=0.8":   transport.MediaArrow,
		"application/json;q=0, */*":           transport.MediaArrow,
		"text/html, application/vnd.apache.*": transport.MediaJSON, // fits none: the default
		"text/html":                           transport.MediaJSON,
		"application/json;q=0":                transport.MediaJSON,
		transport.MediaParquet + ";q=0.5, text/csv;q=0.7, application/json;q=0.6": transport.MediaCSV,
	} {
		var headers []string
		if accept != "" {
			headers = append(headers, "Accept: "+accept)
		}
		a := h.send(t, "GET", "/v1/models/SF/history", "", headers...)
		if got := a.Header().Get("Content-Type"); got != want || a.Code != http.StatusOK {
			t.Errorf("Accept %q: %d %s, want %s", accept, a.Code, got, want)
		}
		if !strings.Contains(a.Header().Get("Vary"), "Accept") {
			t.Errorf("Accept %q: Vary %q", accept, a.Header().Get("Vary"))
		}
	}
	for _, accept := range []string{"text/csv, application/json;q=0.1", "text/csv", "application/json;q=0"} {
		a := h.send(t, "GET", "/v1/models/SF", "", "Accept: "+accept)
		if a.Code != http.StatusOK || a.Header().Get("Content-Type") != transport.MediaJSON {
			t.Errorf("an operation without tables, %s: %d %s", accept, a.Code, a.Header().Get("Content-Type"))
		}
	}
	a := h.send(t, "GET", "/v1/models/SF/script", "", "Accept: application/json")
	if a.Code != http.StatusOK || a.Header().Get("Content-Type") != "text/x-python; charset=utf-8" {
		t.Errorf("a script for a caller of JSON: %d %s", a.Code, a.Header().Get("Content-Type"))
	}
}

// TestTables reads each format of the same history back with another reader.
func TestTables(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const target = "/v1/models/SF/history?include=returns,allocation,metrics"
	want := h.models.history.Table()

	stream, err := ipc.NewReader(bytes.NewReader([]byte(h.send(t, "GET", target, "", "Accept: "+transport.MediaArrow).body)))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Release()
	if !stream.Next() {
		t.Fatal("no record")
	}
	sameTable(t, stream.RecordBatch(), want)

	body := []byte(h.send(t, "GET", target, "", "Accept: "+transport.MediaParquet).body)
	parquet, err := file.NewParquetReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := pqarrow.NewFileReader(parquet, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := reader.Schema()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := reader.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	records := array.NewTableReader(whole, 0)
	records.Next()
	r := records.RecordBatch()
	sameTable(t, array.NewRecordBatch(schema, r.Columns(), r.NumRows()), want)

	lines, err := csv.NewReader(strings.NewReader(h.send(t, "GET", target, "", "Accept: "+transport.MediaCSV).body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(lines[0], " ") != "date "+strings.Join(want.Names, " ") || len(lines) != 1+len(want.Dates) {
		t.Fatalf("lines %v", lines)
	}
	for i, line := range lines[1:] {
		for k, column := range want.Columns {
			if v, err := strconv.ParseFloat(line[k+1], 64); err != nil || v != column[i] || line[0] != want.Dates[i].String() {
				t.Fatalf("line %v, want %v on %s", line, column[i], want.Dates[i])
			}
		}
	}
}

func sameTable(t *testing.T, got arrow.RecordBatch, want *history.DayTable) {
	t.Helper()
	if int(got.NumRows()) != len(want.Dates) || int(got.NumCols()) != 1+len(want.Names) {
		t.Fatalf("%d rows and %d columns", got.NumRows(), got.NumCols())
	}
	metadata := got.Schema().Metadata()
	about, _ := metadata.GetValue(history.AboutKey)
	if gjson.Get(about, "model_id").Str != modelID || !gjson.Get(about, "metrics.cagr").Exists() || !gjson.Get(about, "rebalances.0.trades.SPY").Exists() || !gjson.Get(about, "labels.SPY.name").Exists() {
		t.Errorf("about: %s", about)
	}
	for k, name := range want.Names {
		column, ok := got.Column(k + 1).(*array.Float64)
		if !ok || got.ColumnName(k+1) != name {
			t.Fatalf("column %d is %s", k+1, got.ColumnName(k+1))
		}
		for i, v := range want.Columns[k] {
			if column.Value(i) != v || int32(got.Column(0).(*array.Date32).Value(i)) != int32(want.Dates[i]) {
				t.Fatalf("%s is %v in row %d, want %v", name, column.Value(i), i, v)
			}
		}
	}
}

func TestEmptyWindowsHaveTables(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.history = fakeHistory(0)
	for _, media := range transport.Tables {
		if a := h.send(t, "GET", "/v1/models/SF/history?include=returns,allocation", "", "Accept: "+media); a.Code != http.StatusOK || a.body == "" {
			t.Errorf("%s: %d %q", media, a.Code, a.body)
		}
	}
}

func TestContentCodings(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.history = fakeHistory(500)
	const target = "/v1/models/SF/history"
	send := func(headers ...string) (answer *httptest.ResponseRecorder, body string) {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		for _, header := range headers {
			name, value, _ := strings.Cut(header, ": ")
			r.Header.Set(name, value)
		}
		answer = httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		return answer, answer.Body.String()
	}
	plain, text := send()
	for accepted, want := range map[string]string{
		"gzip": "gzip", "zstd": "zstd", "gzip, zstd": "zstd", "gzip;q=1, zstd;q=0.5": "gzip", "GZip": "gzip", "x-gzip": "gzip",
		"*": "zstd", "*, zstd;q=0": "gzip", "br": "", "identity": "", "gzip;q=0": "", "gzip;q=nonsense": "gzip", "": "",
		"gzip, identity": "gzip", "gzip;q=0.5, identity": "", "zstd;q=0.2, identity;q=0.1": "zstd", "gzip;q=0.5, *;q=0.1": "gzip",
		"identity;q=0, gzip": "gzip", "*;q=0, gzip;q=0.1": "gzip", "identity, *;q=0": "",
	} {
		a, body := send("Accept-Encoding: " + accepted)
		if a.Code != http.StatusOK || a.Header().Get("Content-Encoding") != want || !strings.Contains(a.Header().Get("Vary"), "Accept-Encoding") {
			t.Errorf("%q: %d, coding %q, Vary %q", accepted, a.Code, a.Header().Get("Content-Encoding"), a.Header().Get("Vary"))
		}
		if got := decoded(t, a.Header().Get("Content-Encoding"), body); got != text {
			t.Errorf("%q: another body", accepted)
		}
		if n := a.Header().Get("Content-Length"); n != strconv.Itoa(len(body)) {
			t.Errorf("%q: length %s of %d", accepted, n, len(body))
		}
		tag := a.Header().Get("ETag")
		if (tag == plain.Header().Get("ETag")) != (want == "") {
			t.Errorf("%q: tag %s, the plain one is %s", accepted, tag, plain.Header().Get("ETag"))
		}
		again, _ := send("Accept-Encoding: "+accepted, "If-None-Match: "+tag)
		if again.Code != http.StatusNotModified || again.Header().Get("Content-Encoding") != "" || again.Header().Get("ETag") != tag {
			t.Errorf("%q: %d with the same tag", accepted, again.Code)
		}
		if want != "" {
			if other, _ := send("If-None-Match: " + tag); other.Code != http.StatusOK {
				t.Errorf("%q: its tag answers %d for the plain body", accepted, other.Code)
			}
		}
	}
	if a := h.send(t, "GET", "/v1/account/profile", "", "Accept-Encoding: gzip"); a.Header().Get("Content-Encoding") != "" {
		t.Error("a short body was compressed")
	}
	if a, _ := send("Accept-Encoding: gzip", "Accept: "+transport.MediaParquet); a.Header().Get("Content-Encoding") != "" {
		t.Error("Parquet was compressed twice")
	}
}

// Who refuses answers as they are gets each of them coded, or is told that
// nothing is left.
func TestPlainAnswersRefused(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for _, target := range []string{"/v1/account/profile", "/v1/models/SF/history"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		r.Header.Set("Accept-Encoding", "gzip, identity;q=0")
		r.Header.Set("Accept", transport.MediaParquet+", application/json;q=0.1")
		a := httptest.NewRecorder()
		h.ServeHTTP(a, r)
		if got := a.Header().Get("Content-Encoding"); a.Code != http.StatusOK || got != "gzip" || len(decoded(t, got, a.Body.String())) == 0 {
			t.Errorf("%s: %d, coding %q", target, a.Code, got)
		}
		for _, accepted := range []string{"identity;q=0", "*;q=0", "br, identity;q=0", "zstd;q=0, gzip;q=0, identity;q=0"} {
			if a := h.send(t, "GET", target, "", "Accept-Encoding: "+accepted); a.Code != http.StatusNotAcceptable {
				t.Errorf("%s, %q: %d", target, accepted, a.Code)
			}
		}
	}
}

func decoded(t *testing.T, coding, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Answers of several blocks with shared vectors are the same as one by one, in
// one piece or formatted side by side.
func TestHistoryWriterSharesVectors(t *testing.T) {
	t.Parallel()
	for _, sessions := range []int{3, 1000} { // the larger is formatted beforehand
		p := treeHistory(sessions)
		whole, err := (&historyBody{source: p}).AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, key := range p.Allocation.Keys {
			want := string(transport.AppendFloats(nil, p.Allocation.Weights[i]))
			branch, leaf := strconv.Itoa(i/5), strconv.Itoa(i%5)
			if got := gjson.GetBytes(whole, "allocation.weights."+key).Raw; got != want {
				t.Fatalf("allocation of %s is %.80s, want %.80s", key, got, want)
			}
			if got := gjson.GetBytes(whole, "tree.children."+branch+".children."+leaf+".weights").Raw; got != want {
				t.Fatalf("tree of %s is %.80s, want %.80s", key, got, want)
			}
		}
	}
}

func TestFeesTakeTheirRates(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	r := httptest.NewRequest(http.MethodGet, "/v1/models/SF/history?include=fees&management_fee=0.01&financing_rate=0.05&commission_bps=1&slippage_bps=2", nil)
	r.Header.Set("Authorization", "Bearer "+aliceKey)
	h.ServeHTTP(httptest.NewRecorder(), r)
	if want := (history.Rates{Management: 0.01, Financing: 0.05, Commission: 1, Slippage: 2}); h.models.query.Rates != want || !h.models.query.Fees {
		t.Errorf("asked for %+v", h.models.query)
	}
}
