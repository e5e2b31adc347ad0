package console

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ballast/internal/fault"
)

// view is a page, or the address of the next one.
type view struct {
	Template string // name of the template of the page
	Title    string
	Section  string // the link of the navigation that leads here
	Data     any
	Refusal  *refusal // shown above the page; nil if nothing went wrong
	Next     string   // where the browser goes instead
	Editor   bool     // loads the editor
	Charts   bool     // loads the style sheet of charts
	Refresh  int      // seconds after which browsers without scripts read the page again; 0: never
}

// refusal is an error in the words of the REST interface.
type refusal struct {
	Status  int
	Header  http.Header
	Message string
	Details []fault.Detail
}

// About returns what is wrong with a field of the form, or with one of its parts; "" if
// nothing is.
func (r *refusal) About(field string) string {
	if r == nil {
		return ""
	}
	var said []string
	for _, d := range r.Details {
		if rest, ok := strings.CutPrefix(d.Field, field); ok && (rest == "" || strings.ContainsAny(rest[:1], "[.")) {
			said = append(said, sentence(d.Message))
		}
	}
	return strings.Join(said, " ")
}

// frame is a view with what surrounds it.
type frame struct {
	view
	Style, Script string // addresses
	EditorScript  string // "" on pages without the editor
	ChartStyle    string // "" on pages without charts
	Nonce         string
	Who           string
	Sections      []section
	Here          string // the address of the page
}

// section is a link of the navigation.
type section struct{ Path, Name string }

// sections returns the links of the navigation.
func (c *Console) sections() []section {
	var all []section
	for _, k := range c.Kinds {
		all = append(all, section{k.List(), k.Title})
	}
	if c.Optimizers != nil {
		all = append(all, section{optimizersRoot, "Optimizers"})
	}
	if c.Shares != nil {
		all = append(all, section{sharesRoot, "Shares"})
	}
	return append(all, section{Root + "/new", "New"}, section{Root + "/screener", "Assets"}, section{Root + "/trash", "Trash"}, section{accountRoot, "Account"})
}

//go:embed *.html
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"percent": percent, "decimal": decimal, "labelled": labelled, "sentence": sentence, "minute": minute, "number": func(i int) int { return i + 1 }, "cents": cents, "day": func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
}).ParseFS(templateFiles, "*.html"))

// percent formats a fraction. An undefined one is a dash.
func percent(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

// decimal formats a ratio. An undefined one is a dash.
func decimal(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return fmt.Sprintf("%.2f", v)
}

// cents formats an amount.
func cents(n int64) string {
	if n == 1 || n == -1 {
		return fmt.Sprintf("%d cent", n)
	}
	return fmt.Sprintf("%d cents", n)
}

// sentence makes a sentence of a message.
func sentence(message string) string {
	if message == "" || strings.HasSuffix(message, ".") || strings.HasSuffix(message, "?") {
		return message
	}
	first, size := utf8.DecodeRuneInString(message)
	return string(unicode.ToUpper(first)) + message[size:] + "."
}

// minute formats a time.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// labelled is the address of the list of models with a label.
func labelled(label string) string { return Root + "?" + url.Values{"label": {label}}.Encode() }

// refusalOf explains an error.
func (c *Console) refusalOf(r *request, err error) *refusal {
	e := c.Host.Explain(r.Request, err)
	out := &refusal{Status: e.Status, Header: e.Header, Message: e.Message}
	var f *fault.Error
	if errors.As(err, &f) {
		out.Details = f.Details
	}
	return out
}

// refuse shows an error as a page of its own.
func (c *Console) refuse(w http.ResponseWriter, r *request, err error) {
	v := view{Template: "refusal.html", Title: "This did not work", Refusal: c.refusalOf(r, err)}
	c.write(w, r, v.Refusal.Status, v)
}

// write writes a page that no cache keeps, because it is private.
func (c *Console) write(w http.ResponseWriter, r *request, status int, v view) {
	f := frame{
		view: v, Style: c.assets.Address("console.css"), Script: c.assets.Address("console.js"), Nonce: rand.Text(),
		Sections: c.sections(), Here: r.URL.RequestURI(),
	}
	if v.Editor {
		f.EditorScript = c.assets.Address("editor.js")
	}
	if v.Charts {
		f.ChartStyle = c.assets.Address("chart.css")
	}
	if r.who != nil {
		f.Who = cmp.Or(r.who.PersonName, r.who.AccountName)
	}
	if v.Refusal != nil {
		status = v.Refusal.Status
		for name, values := range v.Refusal.Header {
			w.Header()[name] = values
		}
	}
	body, err := render(f)
	if err != nil {
		e := c.Host.Explain(r.Request, fmt.Errorf("render the page %s: %w", v.Template, err))
		http.Error(w, e.Message, e.Status)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy(f.Nonce, v.Editor))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// render renders a page within the frame.
func render(f frame) ([]byte, error) {
	var content, whole bytes.Buffer
	if err := templates.ExecuteTemplate(&content, f.Template, f); err != nil {
		return nil, err
	}
	err := templates.ExecuteTemplate(&whole, "frame.html", struct {
		frame
		Content template.HTML
	}{f, template.HTML(content.String())}) //nolint:gosec // made by the template above
	return whole.Bytes(), err
}

// policy lets a page load nothing but our own files, and only scripts that carry the
// nonce. Only our
// own script turns texts into markup: pages of this service.
// The editor underlines problems with images in its own style sheet.
func policy(nonce string, editor bool) string {
	images := "'self'"
	if editor {
		images += " data:"
	}
	return "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'self' 'nonce-" + nonce + "'; connect-src 'self'; img-src " + images + "; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types pages"
}
