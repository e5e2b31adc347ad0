package web

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

// panels are the parts of a result page below its head, in their order. Each is the
// template "panel-NAME" in panels.html. A part without anything to show renders nothing.
var panels = []string{
	"growth", "figures", "months", "rolling", "drawdowns", "allocation", "parts", "trades", "contributions",
	"costs", "timing", "compare", "answer", "studies", "downloads", "inputs", "run",
}

//go:embed result.html
var resultPageSource string

//go:embed panels.html
var panelsSource string

//go:embed answer.html
var answerSource string

var resultPageTemplate = func() *template.Template {
	t := template.New("result").Funcs(template.FuncMap{"unwrapped": unwrapped})
	for _, source := range []string{panelsSource, answerSource, resultPageSource} {
		t = template.Must(t.Parse(source))
	}
	return t
}()

// render renders the panels of a page, then the page around them.
func (page *resultPage) render() ([]byte, error) {
	var parts, whole bytes.Buffer
	for _, name := range panels {
		if page.shows != nil && !page.shows(name) {
			continue
		}
		var part strings.Builder
		if err := resultPageTemplate.ExecuteTemplate(&part, "panel-"+name, page); err != nil {
			return nil, fmt.Errorf("render the panel %s of a result: %w", name, err)
		}
		if text := strings.TrimSpace(part.String()); text != "" {
			fmt.Fprintf(&parts, "<div class=\"panel\" data-panel=%q>\n%s\n</div>\n", name, text)
		}
	}
	page.Panels = template.HTML(parts.String()) //nolint:gosec // html/template has escaped it
	if err := resultPageTemplate.Execute(&whole, page); err != nil {
		return nil, fmt.Errorf("render the page of a result: %w", err)
	}
	return whole.Bytes(), nil
}
