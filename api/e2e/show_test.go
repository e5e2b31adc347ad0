package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var (
	ids       = regexp.MustCompile(`\b(account|asset|build|charge|key|model|revision|run)_[0-9a-f]{32}`)
	slugs     = regexp.MustCompile(`-([0-9a-f]{10})\b`)
	moments   = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`)
	requests  = regexp.MustCompile(`"request_id": "[^"]*"`)
	hashes    = regexp.MustCompile(`"[0-9a-f]{64}"`)
	secrets   = regexp.MustCompile(`bk_[A-Za-z0-9_-]{43}`)
	prefixes  = regexp.MustCompile(`"bk_[A-Za-z0-9_-]{8}"`)
	metered   = regexp.MustCompile(`"(units|seconds)": \d+`)
	addresses = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
)

// show lays JSON out for golden files, with what differs from one run of the
// tests to another replaced: ids are numbered in the order of their appearance
// in the script. What is not JSON is shown as it is.
func (s *state) show(body string) (string, error) {
	if body == "" || body[0] != '{' && body[0] != '[' {
		return body, nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(body), "", "  "); err != nil {
		return "", err
	}
	text := oneLine(out.String())
	text = ids.ReplaceAllStringFunc(text, func(id string) string {
		if s.names[id] == "" {
			kind, digits, _ := strings.Cut(id, "_")
			s.names[id] = fmt.Sprintf("%s_%d", kind, s.count(kind+"_")+1)
			s.names[digits[len(digits)-10:]] = s.names[id]
		}
		return s.names[id]
	})
	text = slugs.ReplaceAllStringFunc(text, func(end string) string {
		if name := s.names[end[1:]]; name != "" {
			return "-" + name
		}
		return end
	})
	text = moments.ReplaceAllString(text, `"TIME"`)
	text = requests.ReplaceAllString(text, `"request_id": "REQUEST"`)
	text = hashes.ReplaceAllString(text, `"HASH"`)
	text = secrets.ReplaceAllString(text, "bk_SECRET")
	text = prefixes.ReplaceAllString(text, `"bk_PREFIX"`)
	text = metered.ReplaceAllString(text, `"$1": 0`) // as long as the machine takes
	text = addresses.ReplaceAllString(text, "URL")
	return text + "\n", nil
}

// count is how many ids of a kind have names.
func (s *state) count(prefix string) int {
	n := 0
	for id := range s.names {
		if strings.HasPrefix(id, prefix) {
			n++
		}
	}
	return n
}

// scalars are arrays without arrays or objects inside.
var scalars = regexp.MustCompile(`\[\n\s+[^\[\]{}]*?\n\s*\]`)

// oneLine puts arrays of numbers and words on one line each.
func oneLine(text string) string {
	return scalars.ReplaceAllStringFunc(text, func(array string) string {
		lines := strings.Split(array, "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		return strings.ReplaceAll(strings.Join(lines, ""), ",\"", ", \"")
	})
}
