package grammar

import (
	"strconv"
	"strings"
	"testing"
)

// TestEveryNumberIsInTheScript checks that no number of a prompt is lost: it is in
// the script unchanged, as a fraction, in sessions, or as the thing that it counts.
func TestEveryNumberIsInTheScript(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]string{ // the number and the words next to it, and how it must be understood
		"every 3 months": "quarterly", "3 months": "63", "2 times a year": `"06"`, "2x a year": `"06"`, "6 months": "126",
	}
	for prompt, script := range tabled(t) {
		tokens := tokenize(unquoted(prompt))
		for i, x := range tokens {
			if x.kind != number || x.value == 1 || x.value == 100 || i+1 < len(tokens) && (tokens[i+1].is(".") || tokens[i+1].is("th") || tokens[i+1].is("-") && strings.Contains(prompt, "fund")) {
				continue
			}
			around := string([]rune(prompt)[max(0, x.offset-8):min(len([]rune(prompt)), x.end+12)])
			found := false
			for said, written := range elsewhere {
				found = found || strings.Contains(around, said) && strings.Contains(script, written)
			}
			for _, v := range []float64{x.value, x.value / 100, x.value / 1e4, 1 / x.value, x.value * 5, x.value * 21, x.value * 63, x.value * 252, 1 - x.value/100} {
				for _, text := range []string{strconv.FormatFloat(v, 'f', -1, 64), strconv.FormatFloat(hundredth(100*v), 'f', -1, 64)} {
					found = found || holdsNumber(script, text)
				}
			}
			if !found && !strings.Contains(strings.ToLower(around), "cash") && !strings.Contains(prompt, "S&P") && !strings.Contains(prompt, "rest 60/40") && !strings.Contains(prompt, "split 60/40") && !strings.Contains(prompt, "model_") {
				t.Errorf("%s of %q is not in\n%s", x.text, prompt, script)
			}
		}
	}
}

// holdsNumber reports whether a text contains a number on its own.
func holdsNumber(text, number string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], number)
		if i < 0 {
			return false
		}
		at += i + len(number)
		before, after := byte(' '), byte(' ')
		if at > len(number) {
			before = text[at-len(number)-1]
		}
		if at < len(text) {
			after = text[at]
		}
		digit := func(c byte) bool { return c >= '0' && c <= '9' }
		if !digit(before) && before != '.' && !digit(after) {
			return true
		}
	}
}
