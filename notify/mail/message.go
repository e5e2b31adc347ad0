package mail

import (
	"bytes"
	"embed"
	"fmt"
	html "html/template"
	"strconv"
	"strings"
	text "text/template"
)

// Message is a notice ready to be sent.
type Message struct {
	ID      string // the local part of its Message-ID
	To      string
	Subject string
	Text    string
	HTML    string
}

//go:embed mail.txt.tmpl mail.html.tmpl
var templates embed.FS

var (
	functions = map[string]any{"percent": percent, "move": move}
	textPage  = text.Must(text.New("mail.txt.tmpl").Funcs(functions).ParseFS(templates, "mail.txt.tmpl"))
	htmlPage  = html.Must(html.New("mail.html.tmpl").Funcs(functions).ParseFS(templates, "mail.html.tmpl"))
)

// Compose writes a notice as text and as HTML.
func Compose(l *Notice, c *Change, publicURL string) (*Message, error) {
	page := struct {
		*Change
		Model, Symbol, Link string
	}{Change: c, Model: oneLine(l.ModelName), Symbol: l.ModelSymbol}
	if publicURL != "" {
		page.Link = publicURL + "/model/" + l.Slug
	}
	var plain, rich bytes.Buffer
	if err := textPage.Execute(&plain, page); err != nil {
		return nil, fmt.Errorf("render the text of the mail: %w", err)
	}
	if err := htmlPage.Execute(&rich, page); err != nil {
		return nil, fmt.Errorf("render the HTML of the mail: %w", err)
	}
	return &Message{
		ID: l.RunID, To: l.To, Text: plain.String(), HTML: rich.String(),
		Subject: fmt.Sprintf("%s: new allocation, decided %s", oneLine(l.ModelName), c.Decided),
	}, nil
}

// percent formats a fraction as a percentage with one decimal, and never as minus zero.
func percent(v float64) string {
	s := strconv.FormatFloat(v*100, 'f', 1, 64)
	if strings.Trim(s, "-0.") == "" {
		s = "0.0"
	}
	return s + " %"
}

// move formats the change of a holding as a percentage with its sign.
func move(r Row) string {
	s := percent(r.After - r.Before)
	if !strings.HasPrefix(s, "-") && s != "0.0 %" {
		s = "+" + s
	}
	return s
}

// oneLine replaces line breaks, which would end a mail header, with spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
