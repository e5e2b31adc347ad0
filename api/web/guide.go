package web

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

//go:embed guide.html
var guideSource string

var guideTemplate = template.Must(template.New("guide").Parse(guideSource))

// guideGroup is a part of the list of guides.
type guideGroup struct {
	Title  string
	Guides []guide
}

// guide is a page of the documentation: its file in docs/ without the ending,
// its title, and what it is for.
type guide struct{ Name, Title, About string }

// guideGroups are the guides that are listed beside the reference. The pages of
// decisions are served too, and listed on a page of their own.
var guideGroups = []guideGroup{
	{"Writing models", []guide{
		{"prompts", "Models from plain English", "what can be said in words, and what happens with the rest"},
		{"script-contract", "The script contract", "what a script may say and see"},
		{"engine", "The engine", "how decisions are filled, how holdings drift, when a model starts"},
		{"download", "The download", "running a script outside the service"},
		{"drafts", "Drafts and revisions", "editing a strategy without publishing it"},
		{"life", "The life of a model", "what each operation does in each state"},
	}},
	{"Reading results", []guide{
		{"conventions", "Conventions of the interface", "formats, errors, paging, repeats"},
		{"history", "History", "what each block of a history is"},
		{"metrics", "Metrics", "every statistic: formula, source, short series"},
		{"exports", "Exports", "whole tables for pandas, polars and DuckDB"},
		{"webhooks", "Webhooks and mails", "being told what happens"},
	}},
	{"Data", []guide{
		{"catalog", "The catalog", "assets: import, filters, search and facets"},
		{"classification", "Classification", "what the catalog says of a listing, and how often it is right"},
		{"bars", "Bars", "how daily bars are kept and imported"},
		{"providers", "Providers of bars", "where bars come from that are not imported"},
		{"backfills", "Backfills", "proxies before an asset's first bar"},
	}},
	{"Accounts and operation", []guide{
		{"access", "Access", "keys, sessions, sign-in, limits"},
		{"billing", "Billing", "plans, prices, and what is charged when"},
		{"generation", "Generation", "language models for prompts beyond the grammar"},
		{"operations", "Operations", "configuration, backup, scaling, limits"},
		{"sandbox", "The sandbox", "what scripts cannot do, and what guards that"},
		{"performance", "Performance", "the figures, and how to repeat them"},
		{"architecture", "Architecture", "the parts, and the way of the data"},
		{"where", "Where do I put …", "the files that a usual change touches"},
		{"dependencies", "Dependencies", "what each library is for"},
		{"decisions/README", "Decisions", "where the build departs from its design, and why"},
	}},
}

// guidePages renders every page of the documentation.
func (s *Site) guidePages() ([]Page, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var pages []Page
	for _, name := range docs.Names() {
		text := docs.Page(name)
		var body, page bytes.Buffer
		if err := markdown.Convert(text, &body); err != nil {
			return nil, fmt.Errorf("render %s: %w", name, err)
		}
		title := titleOf(text)
		err := guideTemplate.Execute(&page, map[string]any{
			"Title": title, "Style": template.CSS(referenceStyle), "Body": template.HTML(served(body.String())), //nolint:gosec // our own files
		})
		if err != nil {
			return nil, fmt.Errorf("render %s: %w", name, err)
		}
		guide := newAddressed(page.Bytes())
		pages = append(pages, Page{
			Method: http.MethodGet, Path: "/docs/" + name, ID: "get-docs-" + strings.ToLower(strings.ReplaceAll(name, "/", "-")),
			Summary: title, Description: "A page of the documentation.", Answers: map[int]string{http.StatusOK: "The page"},
			Handler: func(w http.ResponseWriter, r *http.Request) { guide.write(w, s.Origin(r)) },
		})
	}
	return pages, nil
}

// served takes the ending off the names by which pages link to each other.
func served(page string) string { return strings.NewReplacer(`.md"`, `"`, `.md#`, `#`).Replace(page) }

// titleOf is the first heading of a page.
func titleOf(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}
