package web

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"strings"
	"sync"

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

// guide is a page of the documentation: its file in docs/ without the extension, its
// title, and its subject.
type guide struct{ Name, Title, About string }

// guideGroups are the guides listed beside the reference. The pages about decisions
// are served too, but listed on a page of their own.
var guideGroups = []guideGroup{
	{"Writing models", []guide{
		{"prompts", "Models from plain English", "what the service understands, and what happens with the rest"},
		{"script-contract", "The script contract", "what a script may do and read"},
		{"simulations", "Simulations", "will the money last: paths, rules, results"},
		{"analyses", "Analyses", "what moves a model, what it lost, where its return came from"},
		{"engine", "The engine", "how decisions are filled, how holdings drift, when a model starts"},
		{"download", "The download", "running a script outside the service"},
		{"optimizers", "Optimizers", "rules for weights: objectives, limits, certificates"},
		{"drafts", "Drafts and revisions", "editing a strategy without publishing it"},
		{"life", "The life of a model", "what each operation does in each state"},
	}},
	{"Reading results", []guide{
		{"conventions", "Conventions of the interface", "formats, errors, paging, idempotency keys"},
		{"history", "History", "what each block of a history is"},
		{"metrics", "Metrics", "every statistic: formula, source, short series"},
		{"command-line", "The command line", "reading a running service from a shell"},
		{"sharing", "Sharing", "links under which anybody sees a result"},
		{"lists", "Lists of models", "lists sorted, filtered and grouped by results"},
		{"exports", "Exports", "whole tables for pandas, polars and DuckDB"},
		{"sql", "SQL over everything", "one SELECT over all results, bars and the catalog"},
		{"lake", "The lake", "results as Apache Iceberg tables for other engines"},
		{"webhooks", "Webhooks and mails", "notifications of what happens"},
	}},
	{"Data", []guide{
		{"catalog", "The catalog", "assets: import, filters, search and facets"},
		{"classification", "Classification", "how the catalog classifies a listing, and how often it is right"},
		{"bars", "Bars", "how daily bars are stored and imported"},
		{"providers", "Providers of bars", "where bars come from if you do not import them"},
		{"backfills", "Backfills", "proxies before an asset's first bar"},
		{"series", "Series from outside", "factors, inflation, a riskless rate, an index: import and use"},
	}},
	{"Accounts and operation", []guide{
		{"agents", "Agents", "tools for AI agents, by the Model Context Protocol"},
		{"access", "Access", "keys, sessions, sign-in, limits"},
		{"billing", "Billing", "plans, prices, and what is charged when"},
		{"generation", "Generation", "language models for prompts beyond the grammar"},
		{"operations", "Operations", "configuration, backup, scaling, limits"},
		{"scaling", "Many machines", "replicas, workers, a bucket: how the service grows, and what it costs"},
		{"sandbox", "The sandbox", "what scripts cannot do, and how that is enforced"},
		{"performance", "Performance", "the figures, and how to reproduce them"},
		{"architecture", "Architecture", "the parts, and how data flows through them"},
		{"where", "Where do I put …", "the files that a usual change touches"},
		{"dependencies", "Dependencies", "what each library is for"},
		{"decisions/README", "Decisions", "where the service departs from its founding design, and why"},
	}},
}

// guidePages returns every page of the documentation. A page is rendered when somebody
// first reads it.
func (s *Site) guidePages() []Page {
	var pages []Page
	for _, name := range docs.Names() {
		text := docs.Page(name)
		guide := sync.OnceValues(func() (addressed, error) { return renderGuide(name, text) })
		pages = append(pages, Page{
			Method: http.MethodGet, Path: "/docs/" + name, ID: "get-docs-" + strings.ToLower(strings.ReplaceAll(name, "/", "-")),
			Summary: titleOf(text), Description: "A page of the documentation.", Answers: map[int]string{http.StatusOK: "The page"},
			Handler: func(w http.ResponseWriter, r *http.Request) { s.serveAddressed(w, r, guide) },
		})
	}
	return pages
}

func renderGuide(name string, text []byte) (addressed, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var body, page bytes.Buffer
	if err := markdown.Convert(text, &body); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	err := guideTemplate.Execute(&page, map[string]any{
		"Title": titleOf(text), "Style": template.CSS(referenceStyle), "Body": template.HTML(fieldIDs(served(body.String()))), //nolint:gosec // our own files
	})
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return newAddressed(page.Bytes()), nil
}

// served removes the extension from links between pages, and lets the keyboard scroll what
// is wider than the page.
func served(page string) string {
	return strings.NewReplacer(`.md"`, `"`, `.md#`, `#`, `<pre>`, `<pre tabindex="0">`, `<table>`, `<table tabindex="0">`).Replace(page)
}

// rowOfFields is a row of a table whose first cell names fields.
var (
	rowOfFields = regexp.MustCompile(`<tr>\n<td>(?:<code>[a-z0-9_.]+</code>(?:, )?)+`)
	fieldName   = regexp.MustCompile(`<code>(\.?[a-z][a-z0-9_.]*)</code>`)
)

// fieldIDs makes each field that a table describes a place to link to, by its name. In
// "benchmark.correlation, .r_squared" the second is benchmark.r_squared.
func fieldIDs(page string) string {
	taken := map[string]bool{}
	return rowOfFields.ReplaceAllStringFunc(page, func(row string) string {
		group := ""
		return fieldName.ReplaceAllStringFunc(row, func(code string) string {
			written := fieldName.FindStringSubmatch(code)[1]
			name := written
			if strings.HasPrefix(written, ".") {
				name = group + written
			} else {
				group = written[:max(0, strings.LastIndex(written, "."))]
			}
			if taken[name] || strings.Contains(page, `id="`+name+`"`) {
				return code
			}
			taken[name] = true
			return `<code id="` + name + `">` + written + `</code>`
		})
	})
}

// titleOf returns the first heading of a page.
func titleOf(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}
