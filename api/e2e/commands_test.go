package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"
)

// documentURL names the document in references.
const documentURL = "https://ballast.example/v1/openapi.json"

// state is what a script has gathered.
type state struct {
	*sharedService
	last  string            // body of the last answer
	names map[string]string // what replaces each id in golden files
}

type stateKey struct{}

func stateOf(ts *testscript.TestScript) *state { return ts.Value(stateKey{}).(*state) }

func cmdAccount(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: account NAME [PLAN]")
	}
	plan := "business"
	if len(args) == 2 {
		plan = args[1]
	}
	s := stateOf(ts)
	name := args[0] + "-" + ts.Name()
	_, err := s.ballast(context.Background(), "account", "create", name, "--plan", plan)
	ts.Check(err)
	key, err := s.ballast(context.Background(), "keys", "create", "--account", name)
	ts.Check(err)
	ts.Setenv("KEY", key)
	ts.Setenv("KEY_"+args[0], key)
}

func cmdCall(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: call STATUS METHOD PATH [@FILE] [FIELD@FILE]... [FIELD=VALUE]... [HEADER: VALUE]...")
	}
	s := stateOf(ts)
	body, headers := request(ts, args[3:])
	args[2] = strings.TrimPrefix(args[2], s.url) // of an address from an answer
	status, head, err := s.send(args[1], args[2], body, headers)
	ts.Check(err)
	shown, err := s.show(s.last)
	ts.Check(err)
	fmt.Fprint(ts.Stdout(), shown)
	for _, name := range []string{"Allow", "Content-Type", "Location", "Retry-After", "WWW-Authenticate", "ETag", "X-Request-Id"} {
		if v := head.Get(name); v != "" {
			fmt.Fprintf(ts.Stderr(), "%s: %s\n", name, v)
		}
	}
	ts.Setenv("ETAG", head.Get("ETag"))
	if got := strconv.Itoa(status); got != args[0] {
		ts.Fatalf("status %s, want %s: %s", got, args[0], s.last)
	}
	if head.Get("X-Request-Id") == "" {
		ts.Fatalf("the answer has no X-Request-Id")
	}
	ts.Check(s.validate(args[1], args[2], status, head))
}

// request makes a body and headers of a command's arguments.
func request(ts *testscript.TestScript, args []string) (body string, headers http.Header) {
	fields := map[string]any{}
	headers = http.Header{}
	if key := ts.Getenv("KEY"); key != "" {
		headers.Set("Authorization", "Bearer "+key)
	}
	for _, a := range args {
		field, file, isFile := strings.Cut(a, "@")
		fieldName, fieldValue, isField := strings.Cut(a, "=")
		switch name, value, isHeader := strings.Cut(a, ":"); {
		case isFile && !isHeader && field == "":
			body = ts.ReadFile(file)
		case isFile && !isHeader:
			fields[field] = ts.ReadFile(file)
		case isField && !isHeader && json.Valid([]byte(fieldValue)):
			fields[fieldName] = json.RawMessage(fieldValue)
		case isField && !isHeader:
			fields[fieldName] = fieldValue
		case isHeader && strings.TrimSpace(value) == "":
			headers.Del(name)
		case isHeader:
			headers.Set(name, strings.TrimSpace(value))
		default:
			ts.Fatalf("%q is neither a body nor a header", a)
		}
	}
	if len(fields) > 0 {
		text, err := json.Marshal(fields)
		ts.Check(err)
		body = string(text)
	}
	if body != "" && headers.Get("Content-Type") == "" {
		headers.Set("Content-Type", "application/json")
	}
	return body, headers
}

// send makes a request and keeps its body as the last answer.
func (s *state) send(method, path, body string, headers http.Header) (status int, head http.Header, err error) {
	r, err := http.NewRequestWithContext(context.Background(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header = headers
	client := http.Client{
		Timeout:       90 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	s.last = string(text)
	return response.StatusCode, response.Header, err
}

// validate holds the last answer against the document, where it has the operation.
func (s *state) validate(method, target string, status int, head http.Header) error {
	path, _, _ := strings.Cut(target, "?")
	template := s.template(path)
	item, _ := s.paths[template].(map[string]any)
	operation, _ := item[strings.ToLower(method)].(map[string]any)
	if operation == nil || s.last == "" {
		return nil
	}
	mediaType, _, _ := strings.Cut(head.Get("Content-Type"), ";")
	schema, err := s.schema("paths", template, strings.ToLower(method), "responses", strconv.Itoa(status), "content", mediaType, "schema")
	if err != nil {
		return fmt.Errorf("the document has no such answer: %w", err)
	}
	if mediaType != "application/json" {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(s.last))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// template is the path of the document that fits, the one with fewest variables.
func (s *state) template(path string) string {
	best, fewest := "", math.MaxInt
	segments := strings.Split(path, "/")
	for template := range s.paths {
		parts := strings.Split(template, "/")
		variables, fits := 0, len(parts) == len(segments)
		for i := 0; fits && i < len(parts); i++ {
			if strings.HasPrefix(parts[i], "{") {
				variables++
			} else {
				fits = parts[i] == segments[i]
			}
		}
		if fits && variables < fewest {
			best, fewest = template, variables
		}
	}
	return best
}

// cmdSettle waits until a model, one of its revisions or a run is no longer worked on.
func cmdSettle(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: settle MODEL [REVISION], or settle RUN")
	}
	s := stateOf(ts)
	headers := http.Header{"Authorization": {"Bearer " + ts.Getenv("KEY")}}
	path := "/v1/models/" + strings.Join(args, "/revisions/")
	switch kind, _, _ := strings.Cut(args[0], "_"); kind {
	case "run":
		path = "/v1/runs/" + args[0]
	case "simulation":
		path = "/v1/simulations/" + args[0]
	case "analysis":
		path = "/v1/analyses/" + args[0]
	}
	for deadline := time.Now().Add(60 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, _, err := s.send(http.MethodGet, path, "", headers)
		ts.Check(err)
		status := gjson.Get(s.last, "status").String()
		if !slices.Contains([]string{"building", "updating", "queued", "running"}, status) && gjson.Get(s.last, "run").Type == gjson.Null { // revisions and runs have none
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("work did not end: %s", s.last)
		}
	}
}

func cmdSave(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: save NAME PATH")
	}
	ts.Setenv(args[0], value(ts, args[1]).String())
}

func cmdLegacy(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: legacy NAME PREFIX ID")
	}
	_, digits, _ := strings.Cut(args[2], "_")
	ts.Setenv(args[0], args[1]+digits)
}

func cmdWant(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: want PATH VALUE")
	}
	result := gjson.Get(stateOf(ts).last, args[0])
	got := result.Raw
	if result.Type == gjson.String {
		got = result.Str
	}
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %s: %s", args[0], got, stateOf(ts).last)
	}
}

// cmdLacks wants words not to be in the last answer as it was sent: what is
// printed has other ids.
func cmdLacks(ts *testscript.TestScript, _ bool, words []string) {
	for _, word := range words {
		if strings.Contains(stateOf(ts).last, word) {
			ts.Fatalf("the answer has %s: %s", word, stateOf(ts).last)
		}
	}
}

func cmdNear(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: near PATH VALUE")
	}
	want, err := strconv.ParseFloat(args[1], 64)
	ts.Check(err)
	if got := value(ts, args[0]).Float(); math.Abs(got-want) > 1e-9 {
		ts.Fatalf("%s is %v, want %v", args[0], got, want)
	}
}

func value(ts *testscript.TestScript, path string) gjson.Result {
	v := gjson.Get(stateOf(ts).last, path)
	if !v.Exists() {
		ts.Fatalf("the answer has no %s: %s", path, stateOf(ts).last)
	}
	return v
}
