package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"ballast/internal/testenv"
)

// naming are the texts of requests that can name a thing of an account: where
// they stand in the document, and what kind of thing they name. Of a body there
// is the request, with REF in place of the name and FRESH in place of a script.
var naming = map[string]named{
	"path model": {kind: "model"}, "path slug": {kind: "model"}, "path run_id": {kind: "run"}, "path build_id": {kind: "build"}, "path revision_id": {kind: "revision"},
	"path key_id": {kind: "key"}, "path webhook_id": {kind: "webhook"}, "path delivery_id": {kind: "delivery"}, "path backfill": {kind: "backfill"}, "path series": {kind: "series"},
	"path simulation": {kind: "simulation"}, "path analysis": {kind: "analysis"}, "path optimizer": {kind: "optimizer"}, "path share_id": {kind: "share"}, "query risk_free": {kind: "column"},

	"query account": {kind: "account"}, "query benchmark": {kind: "model"}, "query compare": {kind: "model"}, "query labels": {kind: "label"}, "query prefix": {kind: "prefix"},
	"query model": {kind: "model"}, "query models": {kind: "model"}, "query run_id": {kind: "run"}, "query run_ids": {kind: "run"}, "query simulation": {kind: "simulation"}, "query simulations": {kind: "simulation"}, "query analysis": {kind: "analysis"}, "query analyses": {kind: "analysis"},

	"post /v1/backfills .sources[].model":                     {"model", []string{`{"symbol": "CCC", "sources": [{"model": "REF", "method": "raw"}]}`}},
	"post /v1/backfills .sources[].symbol":                    {"model", []string{`{"symbol": "CCC", "sources": [{"symbol": "REF", "method": "raw"}]}`}},
	"post /v1/backfills .symbol":                              {"model", []string{`{"symbol": "REF", "sources": [{"symbol": "AAA", "method": "raw"}]}`}},
	"patch /v1/backfills/{backfill} .sources[].model":         {"model", []string{`{"sources": [{"model": "REF", "method": "raw"}]}`}},
	"patch /v1/backfills/{backfill} .sources[].symbol":        {"model", []string{`{"sources": [{"symbol": "REF", "method": "raw"}]}`}},
	"patch /v1/backfills/{backfill} .symbol":                  {"model", []string{`{"symbol": "REF"}`}},
	"post /v1/optimizers .name":                               {"title", []string{`{"name": "REF", "objective": "hrp"}`}},
	"patch /v1/optimizers/{optimizer} .name":                  {"title", []string{`{"name": "REF"}`}},
	"post /v1/optimizers .prompt":                             {"model", []string{`{"prompt": "maximum Sharpe, at most 25% in REF"}`, `{"prompt": "minimum variance, at most 25% in \"REF\""}`}},
	"post /v1/optimizers .script":                             {"title", []string{`{"script": "NAME = \"REF\"\n\n\ndef optimize(ctx):\n    return {s: 1.0 / len(ctx.panel) for s in ctx.panel}\n"}`}},
	"patch /v1/optimizers/{optimizer} .script":                {"title", []string{`{"script": "NAME = \"REF\"\n\n\ndef optimize(ctx):\n    return {s: 1.0 / len(ctx.panel) for s in ctx.panel}\n"}`}},
	"post /v1/optimizers/{optimizer}/solve .universe[]":       {"model", []string{`{"universe": ["REF", "AAA"]}`}},
	"post /v1/series .name":                                   {"title", []string{`{"name": "REF", "columns": {"date": ["2024-01-31"], "RF": [0.001]}}`}},
	"post /v1/models .labels[]":                               {"label", []string{`{"script": FRESH, "labels": ["REF"]}`}},
	"post /v1/models .name":                                   {"title", []string{`{"script": FRESH, "name": "REF"}`}},
	"post /v1/models .symbol":                                 {"symbol", []string{`{"script": FRESH, "symbol": "REF"}`}},
	"post /v1/models .prompt":                                 {"model", []string{`{"prompt": "60% REF, 40% AAA"}`, `{"prompt": "60% \"REF\", 40% AAA"}`}},
	"post /v1/models .script":                                 {"model", []string{`{"script": HOLDING}`}},
	"post /v1/models/validate .prompt":                        {"model", []string{`{"prompt": "60% REF, 40% AAA"}`, `{"prompt": "60% \"REF\", 40% AAA"}`}},
	"post /v1/models/validate .script":                        {"model", []string{`{"script": HOLDING}`}},
	"patch /v1/models/{model} .labels[]":                      {"label", []string{`{"labels": ["REF"]}`}},
	"patch /v1/models/{model} .name":                          {"title", []string{`{"name": "REF"}`}},
	"patch /v1/models/{model} .symbol":                        {"symbol", []string{`{"symbol": "REF"}`}},
	"put /v1/models/{model}/draft .base_hash":                 {"hash", []string{`{"expected_version": 0, "base_hash": "REF", "script": FRESH}`}},
	"put /v1/models/{model}/draft .prompt":                    {"model", []string{`{"expected_version": 0, "base_hash": "x", "prompt": "60% REF, 40% AAA"}`}},
	"put /v1/models/{model}/draft .script":                    {"model", []string{`{"expected_version": 0, "base_hash": "x", "script": HOLDING}`}},
	"post /v1/models/{model}/draft/test .request_key":         {"label", []string{`{"expected_version": 0, "base_hash": "x", "request_key": "REF"}`}},
	"post /v1/models/{model}/rebuild .prompt":                 {"model", []string{`{"prompt": "60% REF, 40% AAA"}`, `{"prompt": "60% \"REF\", 40% AAA"}`}},
	"post /v1/models/{model}/rebuild .script":                 {"model", []string{`{"script": HOLDING}`}},
	"post /v1/models/{model}/runs .from_run_id":               {"run", []string{`{"from_run_id": "REF"}`}},
	"post /v1/models/{model}/runs .label":                     {"label", []string{`{"intent": "test", "label": "REF", "inputs": {"universe": []}}`}},
	"post /v1/models/{model}/runs .inputs{}":                  {"model", []string{`{"inputs": {"universe": ["REF", "AAA"]}}`}},
	"post /v1/simulations .inputs{}":                          {"model", []string{`{"rule": "withdraw_fixed", "arguments": {"rate": 0.04}, "inputs": {"universe": ["REF", "AAA"], "years": 1, "paths": 100}}`}},
	"post /v1/simulations .labels[]":                          {"label", []string{`{"rule": "withdraw_fixed", "arguments": {"rate": 0.04}, "inputs": {"universe": ["AAA"], "years": 1, "paths": 100}, "labels": ["REF"]}`}},
	"post /v1/simulations .name":                              {"title", []string{`{"rule": "withdraw_fixed", "arguments": {"rate": 0.04}, "inputs": {"universe": ["AAA"], "years": 1, "paths": 100}, "name": "REF"}`}},
	"post /v1/simulations .prompt":                            {"model", []string{`{"prompt": "Monte Carlo of REF"}`}},
	"post /v1/simulations .script":                            {"model", []string{`{"script": "NAME = \"Plan\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"REF\"]}, \"years\": {\"type\": \"integer\", \"default\": 1}}\n\n\ndef simulate(ctx):\n    return 0\n"}`}},
	"patch /v1/simulations/{simulation} .labels[]":            {"label", []string{`{"labels": ["REF"]}`}},
	"patch /v1/simulations/{simulation} .name":                {"title", []string{`{"name": "REF"}`}},
	"post /v1/simulations/{simulation}/rebuild .prompt":       {"model", []string{`{"prompt": "Monte Carlo of REF"}`}},
	"post /v1/simulations/{simulation}/rebuild .script":       {"model", []string{`{"script": HOLDING}`}},
	"post /v1/simulations/{simulation}/runs .from_run_id":     {"run", []string{`{"from_run_id": "REF"}`}},
	"post /v1/simulations/{simulation}/runs .label":           {"label", []string{`{"intent": "test", "label": "REF", "inputs": {"universe": []}}`}},
	"post /v1/simulations/{simulation}/runs .inputs{}":        {"model", []string{`{"inputs": {"universe": ["REF", "AAA"]}}`}},
	"post /v1/analyses .arguments{}":                          {"model", []string{`{"kind": "correlation", "arguments": {"keys": ["REF", "AAA"]}}`}},
	"post /v1/analyses .labels[]":                             {"label", []string{`{"kind": "correlation", "arguments": {"keys": ["AAA", "BBB"]}, "labels": ["REF"]}`}},
	"post /v1/analyses .name":                                 {"title", []string{`{"kind": "correlation", "arguments": {"keys": ["AAA", "BBB"]}, "name": "REF"}`}},
	"post /v1/analyses .prompt":                               {"model", []string{`{"prompt": "how correlated are REF and AAA"}`}},
	"post /v1/analyses .script":                               {"model", []string{`{"script": "NAME = \"Own\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"REF\", \"AAA\"]}}\n\n\ndef analyze(ctx):\n    ctx.scalar(\"a\", 1)\n"}`}},
	"patch /v1/analyses/{analysis} .labels[]":                 {"label", []string{`{"labels": ["REF"]}`}},
	"patch /v1/analyses/{analysis} .name":                     {"title", []string{`{"name": "REF"}`}},
	"post /v1/analyses/{analysis}/rebuild .prompt":            {"model", []string{`{"prompt": "how correlated are REF and AAA"}`}},
	"post /v1/analyses/{analysis}/rebuild .script":            {"model", []string{`{"script": HOLDING}`}},
	"post /v1/analyses/{analysis}/runs .from_run_id":          {"run", []string{`{"from_run_id": "REF"}`}},
	"post /v1/analyses/{analysis}/runs .label":                {"label", []string{`{"intent": "test", "label": "REF", "inputs": {"universe": []}}`}},
	"post /v1/analyses/{analysis}/runs .inputs{}":             {"model", []string{`{"inputs": {"universe": ["REF", "AAA"]}}`}},
	"post /v1/query .parameters{}":                            {"model", []string{`{"sql": "select r.date, r.return from returns r join models m using (model_id) where $m in (m.model_id, m.symbol, m.name, m.slug) or r.model_id = $m", "parameters": {"m": "REF"}}`}},
	"post /v1/query .runs[]":                                  {"run", []string{`{"sql": "select count(*) from returns", "runs": ["REF"]}`}},
	"post /v1/query .sql":                                     {"model", []string{`{"sql": "select * from history('REF')"}`, `{"sql": "select * from models where symbol = 'REF' or name = 'REF'"}`}},
	"post /v1/shares .model":                                  {"model", []string{`{"model": "REF"}`}},
	"post /v1/shares .run_id":                                 {"run", []string{`{"run_id": "REF"}`}},
	"patch /v1/runs/{run_id} .label":                          {"label", []string{`{"label": "REF"}`}},
	"patch /v1/models/{model}/revisions/{revision_id} .label": {"label", []string{`{"label": "REF"}`}},
}

type named struct {
	kind   string
	bodies []string
}

// plain are the texts that name nothing of an account.
var plain = []string{
	"path asset", "path table", "path file", "query money", "query path", "query country", "query exchange", "query issuer", "query sector", "query domicile", "query q", "query symbol", "query symbols",
	"query years", "query scale", "query timing", "query tags", "query tags_all", "query tags_none", "header Idempotency-Key", "header If-None-Match", "query schemas", "query management_pct", "query financing_pct", "query commission_bps", "query slippage_bps",
	"query tables", "query keys", "post /v1/series .columns.date[]", "post /v1/simulations .rule", "post /v1/simulations .arguments{}", "post /v1/analyses .kind", "post /v1/analyses .inputs{}",
	"post /v1/optimizers .inputs{}", "patch /v1/optimizers/{optimizer} .inputs{}", "post /v1/optimizers .bounds{}", "post /v1/optimizers .budget{}", "post /v1/optimizers .groups[].members[]", "post /v1/optimizers .groups[].tag", "post /v1/optimizers .market{}", "post /v1/optimizers .views[].weights{}",
	"patch /v1/optimizers/{optimizer} .bounds{}", "patch /v1/optimizers/{optimizer} .budget{}", "patch /v1/optimizers/{optimizer} .groups[].members[]", "patch /v1/optimizers/{optimizer} .groups[].tag", "patch /v1/optimizers/{optimizer} .market{}", "patch /v1/optimizers/{optimizer} .views[].weights{}",
	"post /v1/optimizers/{optimizer}/solve .current{}",
	"post /mcp {}", // its tools call the operations
	"path token", "post /v1/shares .name", "post /v1/shares .panels[]", "patch /v1/shares/{share_id} .name", "patch /v1/shares/{share_id} .panels[]",
	"post /v1/account/keys .name", "post /v1/session .key",
	"post /v1/webhooks .description", "post /v1/webhooks .events[]", "post /v1/webhooks .url",
	"patch /v1/webhooks/{webhook_id} .description", "patch /v1/webhooks/{webhook_id} .events[]", "patch /v1/webhooks/{webhook_id} .url",
}

// freshScript takes a member and a number.
const freshScript = "NAME = \"Fresh %[2]d\"\nSYMBOL = \"FRESH%[2]d\"\nSCHEDULE = \"yearly\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [%[1]q]}}\n\ndef decide(ctx):\n    return {}\n"

// cmdPairs walks the document and tries each text of a request that can name
// somebody's thing, with the name of another account's and with a like one that
// names nothing, and wants the same answers: status, headers and body. Arguments
// are KIND=ANOTHERS,ANOTHERS and own.PARAMETER=OWN. A text that is neither
// naming nor plain fails, so that none is forgotten.
func cmdPairs(ts *testscript.TestScript, _ bool, args []string) {
	p := &pairs{state: stateOf(ts), ts: ts, anothers: map[string][]string{}, own: map[string]string{}}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if parameter, own := strings.CutPrefix(name, "own."); own {
			p.own[parameter] = value
		} else if ok {
			p.anothers[name] = strings.Split(value, ",")
		} else {
			ts.Fatalf("usage: pairs KIND=ANOTHERS... own.PARAMETER=OWN...")
		}
	}
	for _, template := range sortedNames(p.paths) {
		item := p.paths[template].(map[string]any)
		for _, method := range sortedNames(item) {
			operation, ok := item[method].(map[string]any)
			if ok {
				p.operation(method, template, operation)
			}
		}
	}
	if len(p.wrong) > 0 {
		ts.Fatalf("%d of %d pairs differ:\n%s", len(p.wrong), p.tried, strings.Join(p.wrong, "\n"))
	}
	ts.Logf("%d pairs were tried", p.tried)
	if p.tried < 60 {
		ts.Fatalf("only %d pairs were tried", p.tried)
	}
}

type pairs struct {
	*state
	ts       *testscript.TestScript
	anothers map[string][]string // names of another's things, by kind
	own      map[string]string   // values of the caller's own, by path parameter
	tried    int
	turn     int // of the names of a kind
	scripts  int
	wrong    []string
}

// operation tries the parameters of an operation one by one, the others being
// the caller's own, and then its body.
func (p *pairs) operation(method, template string, operation map[string]any) {
	parameters, _ := operation["parameters"].([]any)
	required := url.Values{}
	for _, x := range parameters {
		x := x.(map[string]any)
		if must, _ := x["required"].(bool); must && x["in"] == "query" {
			required.Set(x["name"].(string), p.own[x["name"].(string)])
		}
	}
	whole := p.path(template)
	body := p.smallest(operation)
	for _, x := range parameters {
		x := x.(map[string]any)
		name, in := x["name"].(string), x["in"].(string)
		for _, text := range p.texts(x["schema"].(map[string]any), "") {
			at := in + " " + name
			n, ok := naming[at]
			if !ok {
				p.known(at+text, at)
				continue
			}
			for _, value := range p.of(n.kind) {
				p.try(method, value, func(value string) (string, string) {
					if in == "path" {
						return strings.Replace(p.pathBut(template, name), "{"+name+"}", url.PathEscape(value), 1) + "?" + required.Encode(), body
					}
					query := maps.Clone(required)
					if own := p.own[name]; own != "" && name == "run_ids" {
						value = own + "," + value
					}
					query.Set(name, value)
					return whole + "?" + query.Encode(), body
				})
			}
		}
	}
	requestBody, _ := operation["requestBody"].(map[string]any)
	if requestBody == nil {
		return
	}
	schema := requestBody["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
	for _, text := range p.texts(schema, "") {
		at := method + " " + template + " " + text
		n, ok := naming[at]
		if !ok {
			p.known(at, at)
			continue
		}
		for _, form := range n.bodies {
			for _, value := range p.of(n.kind) {
				p.try(method, value, func(value string) (string, string) {
					holding, _ := json.Marshal(p.script(value))
					fresh, _ := json.Marshal(p.script("AAA"))
					return whole + "?" + required.Encode(), strings.NewReplacer("REF", value, "FRESH", string(fresh), "HOLDING", string(holding)).Replace(form)
				})
			}
		}
	}
}

// script is one of a new model that holds a member.
func (p *pairs) script(member string) string {
	p.scripts++
	return fmt.Sprintf(freshScript, member, 1000+p.scripts)
}

// known fails where a text is not plain either.
func (p *pairs) known(at string, names ...string) {
	for _, name := range append(names, at) {
		if slices.Contains(plain, name) {
			return
		}
	}
	p.ts.Fatalf("%s is new: say in naming or plain whether it names a thing of an account", at)
}

// of are another's things of a kind. What is taken by an answer that succeeds is
// used once. Of many names for one thing, make test takes one by turns.
func (p *pairs) of(kind string) []string {
	values := p.anothers[kind]
	if len(values) == 0 {
		p.ts.Fatalf("no %s of another is left", kind)
	}
	if kind == "symbol" || kind == "title" {
		p.anothers[kind] = values[1:]
		return values[:1]
	}
	if testenv.Brief() {
		p.turn++
		return []string{values[p.turn%len(values)]}
	}
	return values
}

func (p *pairs) path(template string) string { return p.pathBut(template, "") }

// pathBut fills in the caller's own path parameters but one.
func (p *pairs) pathBut(template, but string) string {
	return braces.ReplaceAllStringFunc(template, func(part string) string {
		name := strings.Trim(part, "{}")
		if name == but {
			return part
		}
		if p.own[name] == "" {
			p.ts.Fatalf("%s needs own.%s", template, name)
		}
		return p.own[name]
	})
}

// texts are the places of free text in a schema.
func (p *pairs) texts(schema map[string]any, at string) []string {
	if ref, ok := schema["$ref"].(string); ok {
		schema = p.schemas[ref[strings.LastIndexByte(ref, '/')+1:]].(map[string]any)
	}
	is := func(kind string) bool {
		if list, ok := schema["type"].([]any); ok {
			return slices.Contains(list, any(kind))
		}
		return schema["type"] == kind
	}
	var found []string
	format, _ := schema["format"].(string)
	if is("string") && schema["enum"] == nil && format != "date" && format != "date-time" {
		found = append(found, at)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		found = append(found, p.texts(items, at+"[]")...)
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range sortedNames(properties) {
		found = append(found, p.texts(properties[name].(map[string]any), at+"."+name)...)
	}
	if is("object") && properties == nil || strings.HasSuffix(at, ".inputs") {
		found = append(found, at+"{}")
	}
	return found
}

// try makes a request with both names and compares the answers.
func (p *pairs) try(method, value string, request func(value string) (target, body string)) {
	p.tried++
	twin := absentTwin(value, p.tried)
	target, body := request(value)
	anothers := p.answerTo(method, target, body, value)
	other, otherBody := request(twin)
	absent := p.answerTo(method, other, otherBody, twin)
	if diff := cmp.Diff(absent, anothers); diff != "" {
		p.wrong = append(p.wrong, fmt.Sprintf("%s %s %s\n%s", method, target, body, diff))
	}
}

// answerTo is a whole answer without what is of the moment or of the name.
func (p *pairs) answerTo(method, target, body, value string) string {
	headers := http.Header{"Authorization": {"Bearer " + p.ts.Getenv("KEY")}}
	if body != "" {
		headers.Set("Content-Type", "application/json")
	}
	status, head, err := p.send(strings.ToUpper(method), target, body, headers)
	p.ts.Check(err)
	for _, name := range []string{"Date", "X-Request-Id", "Etag", "Content-Length"} {
		head.Del(name)
	}
	text := strings.ReplaceAll(p.last, value, "REF")
	if series, _, isColumn := strings.Cut(value, "."); isColumn {
		text = strings.ReplaceAll(text, series, "REF")
	}
	if tail := hexTail.FindString(value); tail != "" { // descriptions are taken apart into words
		text = strings.ReplaceAll(text, tail, "TAIL")
	} else {
		text = regexp.MustCompile("(?i)"+regexp.QuoteMeta(value)).ReplaceAllString(text, "REF")
	}
	if strings.Contains(body, `"prompt"`) {
		text = digits.ReplaceAllString(text, "0")
	}
	text = suggestedAsset.ReplaceAllString(text, "")
	text = fmt.Sprintf("%d %v %s", status, head, text)
	for _, x := range ofTheMoment {
		text = x.ReplaceAllString(text, "…")
	}
	return text
}

var (
	braces  = regexp.MustCompile(`\{[a-z_]+\}`)
	digits  = regexp.MustCompile(`[0-9]`)
	hexTail = regexp.MustCompile(`[0-9a-f]{8}$`) // of ids, hashes and slugs

	// suggestedAsset is an asset that everyone sees, when it is near the twin by chance.
	suggestedAsset = regexp.MustCompile(`,"suggestion":"(AAA|BBB|CCC)"| Did you mean (AAA|BBB|CCC)\?`)

	ofTheMoment = []*regexp.Regexp{
		regexp.MustCompile(`"request_id":"[^"]*"`),
		regexp.MustCompile(`nonce-[A-Z2-7]+|nonce="[A-Z2-7]+"`),              // of pages
		regexp.MustCompile(`(?i)fresh ?\d{4}`),                               // of freshScript
		regexp.MustCompile(`\b[0-9a-f]{64}\b`),                               // hashes
		regexp.MustCompile(`\b[a-z]+_[0-9a-f]{24}([0-9a-f]{8}|TAIL)\b`),      // new ids
		regexp.MustCompile(`"slug":"[^"]*"|"(script_|result_)?url":"[^"]*"`), // that end in parts of them
		regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`),        // times
		regexp.MustCompile(`"version":\d+`),                                  // which each change of an optimizer raises
		regexp.MustCompile(`"prefix":"[^"]*"|"key":"bk_[^"]*"|"secret":"[^"]*"`),
	}
)

// absentTwin is a name of the same form and length that names nothing.
func absentTwin(value string, salt int) string {
	if tail := hexTail.FindString(value); strings.ContainsAny(tail, "0123456789") {
		// Digits alone change: descriptions are taken apart where digits and letters meet.
		return strings.TrimSuffix(value, tail) + strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return '0' + (c-'0'+1+rune(salt%9))%10
			}
			return c
		}, tail)
	}
	letters := []byte(value)
	for i, shift := len(letters)-1, salt; i >= 0; i-- {
		switch c := letters[i]; {
		case c >= 'a' && c <= 'z':
			letters[i] = 'a' + (c-'a'+byte(1+shift%25))%26
		case c >= 'A' && c <= 'Z':
			letters[i] = 'A' + (c-'A'+byte(1+shift%25))%26
		default:
			continue
		}
		shift /= 25
	}
	return string(letters)
}
