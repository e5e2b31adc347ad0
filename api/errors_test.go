package api

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/internal/testenv"
)

// TestEveryFaultTypeHasItsStatus reads the types from the source of package
// fault, so that a new one cannot be forgotten here.
func TestEveryFaultTypeHasItsStatus(t *testing.T) {
	t.Parallel()
	declared := declaredTypes(t)
	if len(declared) < 35 {
		t.Fatalf("found %d types", len(declared))
	}
	rows := map[string]int{}
	for _, r := range refusals {
		if rows[string(r.Type)] != 0 {
			t.Errorf("%s is in the table twice", r.Type)
		}
		if r.Meaning == "" {
			t.Errorf("%s has no meaning", r.Type)
		}
		rows[string(r.Type)] = r.Status
	}
	for _, name := range declared {
		if rows[name] == 0 {
			t.Errorf("%s has no status", name)
		}
		delete(rows, name)
	}
	for name := range rows {
		t.Errorf("%s is no fault type", name)
	}
}

func declaredTypes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(testenv.Root(t), "internal", "fault", "fault.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Type" {
				name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, name)
			}
		}
		return true
	})
	return names
}

func TestFaultsBecomeTheirAnswers(t *testing.T) {
	t.Parallel()
	for _, row := range refusals {
		t.Run(string(row.Type), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			h.models.fail = fmt.Errorf("outer: %w", fault.New(row.Type, "Public words.").
				With(fault.Detail{Location: "body.x", Message: "m"}).Wrap(errors.New("private words")))
			r := h.refuse(t.Context(), h.models.fail)
			if r.status != row.Status {
				t.Errorf("status %d, want %d", r.status, row.Status)
			}
			want := errorBody{errorContent{Type: string(row.Type), Message: "Public words.", Details: []fault.Detail{{Location: "body.x", Message: "m"}}}}
			if d := cmp.Diff(want, r.body); d != "" {
				t.Error(d)
			}
			if got := r.headers.Get("WWW-Authenticate"); (got == "Bearer") != (row.Status == http.StatusUnauthorized) {
				t.Errorf("WWW-Authenticate %q", got)
			}
			waits := row.Status == http.StatusTooManyRequests || row.Status == http.StatusServiceUnavailable || row.Type == fault.IdempotencyProgress
			if got := r.headers.Get("Retry-After"); (got != "") != waits {
				t.Errorf("Retry-After %q", got)
			}
		})
	}
}

func TestFailuresTellNothing(t *testing.T) {
	t.Parallel()
	const secret = "secret of the inside"
	for name, arrange := range map[string]func(*fakeModels){
		"error": func(f *fakeModels) { f.fail = errors.New(secret) },
		"panic": func(f *fakeModels) { f.panics = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			arrange(h.models)
			a := h.send(t, "GET", "/v1/models/SF", "", "X-Request-Id: from.the-caller_1")
			if a.Code != http.StatusInternalServerError || a.refusal(t).Type != "internal" {
				t.Errorf("%d %s", a.Code, a.body)
			}
			if a.Header().Get("X-Request-Id") != "from.the-caller_1" {
				t.Errorf("X-Request-Id %q", a.Header().Get("X-Request-Id"))
			}
			if strings.Contains(a.body, secret) || strings.Contains(a.body, ".go") {
				t.Errorf("the answer leaks: %s", a.body)
			}
			if logs := h.logs.String(); !strings.Contains(logs, secret) || !strings.Contains(logs, "from.the-caller_1") {
				t.Errorf("the log does not tell: %s", logs)
			}
		})
	}
}
