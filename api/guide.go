package api

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"ballast/docs"
)

//go:embed web/guide.html
var guideSource string

var guideTemplate = template.Must(template.New("guide").Parse(guideSource))

// guides are the pages of the documentation that are served beside the reference.
var guides = []struct {
	name, title string
	markdown    []byte
}{
	{"conventions", "Conventions of the interface", docs.Conventions},
	{"script-contract", "Script contract", docs.ScriptContract},
	{"prompts", "Prompts", docs.Prompts},
	{"download", "The download", docs.Download},
	{"generation", "Generation", docs.Generation},
	{"drafts", "Drafts and revisions", docs.Drafts},
	{"history", "History", docs.History},
	{"metrics", "Metrics", docs.Metrics},
	{"bars", "Bars", docs.Bars},
	{"catalog", "The catalog", docs.Catalog},
	{"backfills", "Backfills", docs.Backfills},
	{"exports", "Exports", docs.Exports},
	{"access", "Access", docs.Access},
	{"billing", "Billing", docs.Billing},
	{"webhooks", "Webhooks and mails", docs.Webhooks},
}

// guidePages renders the guides, each as a page of its own.
func guidePages() ([]servicePage, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	pages := make([]servicePage, len(guides))
	for i, g := range guides {
		var body, page bytes.Buffer
		if err := markdown.Convert(g.markdown, &body); err != nil {
			return nil, fmt.Errorf("render %s: %w", g.name, err)
		}
		// Pages name each other by their files.
		text := strings.NewReplacer(`.md"`, `"`, `.md#`, `#`).Replace(body.String())
		err := guideTemplate.Execute(&page, map[string]any{
			"Title": g.title, "Style": template.CSS(referenceStyle), "Body": template.HTML(text), //nolint:gosec // our own files
		})
		if err != nil {
			return nil, fmt.Errorf("render %s: %w", g.name, err)
		}
		pages[i] = servicePage{
			"get-docs-" + g.name, "/docs/" + g.name, g.title, "A page of the documentation.",
			textResponse("text/html", "The page"), serveHTML(page.Bytes()),
		}
	}
	return pages, nil
}

// serveHTML serves a page that needs nothing but itself.
func serveHTML(page []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		htmlHeaders(w.Header())
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(page)
	}
}

// htmlHeaders has a browser load nothing but the page itself.
func htmlHeaders(h http.Header) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
}
