package languagemodel

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"ballast/docs"
	"ballast/program/generate"
	"ballast/script/dialect"
)

//go:embed rules.md
var rules string

// systemPrompt is the same for every request, so that providers can cache it.
func systemPrompt() string {
	return rules + string(docs.Page("script-contract")) + "\n\n# The words\n\n" + sayable(string(docs.Page("prompts")))
}

// sayable returns the examples of a page in Markdown, a line each, under its headings.
func sayable(page string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside
		case inside, strings.HasPrefix(line, "## "):
			b.WriteString(line)
		}
	}
	return b.String()
}

const (
	maxModels      = 100
	maxAssets      = 150
	maxDescription = 300      // characters of a model's description that are sent
	maxListed      = 32 << 10 // bytes of a list of members
	maxFeedback    = 30       // problems that are sent back at once
)

// enclose puts a text between tags that it cannot close, because they carry its hash.
func enclose(name, text string) string {
	sum := sha256.Sum256([]byte(text))
	tag := name + "-" + hex.EncodeToString(sum[:8])
	return fmt.Sprintf("<%s>\n%s\n</%s>\n", tag, strings.TrimSuffix(text, "\n"), tag)
}

// question is the first message: what the prompt can name, and the prompt.
func question(s *surroundings, r generate.Request) string {
	var b strings.Builder
	if len(s.models) > 0 {
		b.WriteString("The models of this account that can be members:\n\n" + enclose("models", listed(s.models)) + "\n")
	}
	if len(s.assets) > 0 {
		b.WriteString("The part of the catalog that fits the description:\n\n" + enclose("assets", listed(s.assets)) + "\n")
	}
	if r.Previous != "" && r.Failure != "" {
		b.WriteString("The script of the last build, which failed:\n\n" + enclose("script", r.Previous) + "\n")
	} else if r.Previous != "" {
		b.WriteString("The script that is served now:\n\n" + enclose("script", r.Previous) + "\n")
	}
	if r.Failure != "" {
		b.WriteString("The error with which the last build failed, and which the new script must not have:\n\n" + enclose("error", r.Failure) + "\n")
	}
	b.WriteString("The description of the model:\n\n" + enclose("description", r.Prompt) + "\nSay it in the service's words, or write its script.")
	return b.String()
}

// line is a member in a list.
type line struct {
	Key         string `json:"key"`
	ID          string `json:"id,omitempty"`
	Symbol      string `json:"symbol,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
}

// listed returns members as JSON, one per line, as many as fit.
func listed(members []generate.Member) string {
	var b strings.Builder
	for _, m := range members {
		l := line{Key: m.Key, Name: shorten(m.Name, maxDescription)}
		if m.Model {
			l.ID, l.Symbol, l.Description = m.ID, m.Symbol, shorten(m.Description, maxDescription)
		}
		text, err := json.Marshal(l)
		if err != nil || b.Len()+len(text) > maxListed {
			break
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}

// feedback is the message after an answer with problems.
func feedback(problems []dialect.Problem) string {
	var b strings.Builder
	for _, p := range problems[:min(len(problems), maxFeedback)] {
		fmt.Fprintf(&b, "model.py:%d:%d: %s: %s", p.Line, p.Column, p.Rule, p.Message)
		if p.Text != "" {
			fmt.Fprintf(&b, "; at: %s", shorten(p.Text, 200))
		}
		if len(p.Accepted) > 0 {
			fmt.Fprintf(&b, "; accepted: %s", shorten(strings.Join(p.Accepted, ", "), 500))
		}
		if p.Suggestion != "" {
			fmt.Fprintf(&b, "; nearest: %s", p.Suggestion)
		}
		b.WriteByte('\n')
	}
	return fmt.Sprintf("The checks found %d problems in the script, given as file:line:column: rule: message.\n\n%s\n"+
		"Repair all of them and answer with the whole script in one fenced block. Where a name is not meant as a member, say so with a NOT MEANT line after it.",
		len(problems), enclose("problems", b.String()))
}

// unclear is the message after a description that the grammar does not understand.
func unclear(message string) string {
	return "The service does not understand what follows SAID AS: " + shorten(message, 800) + "\n\nSay it in its words, if they can say the same, or answer with the whole script in one fenced block, ```python to ```."
}

const noScript = "Your answer holds no script. Answer with the whole script in one fenced block, ```python to ```, or with the line CANNOT: and the reason."

// shorten cuts a text to n characters.
func shorten(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
