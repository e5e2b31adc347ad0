package goclient

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const mediaJSON = "application/json"

// call is an operation as a method.
type call struct {
	*operation
	method, path string
	name         string
	in           []parameter // of the path
	query        []parameter
	key          bool   // takes an Idempotency-Key
	body         string // Go type; "" if there is none
	json         string // Go type of the response in JSON; "" if there is none
	others       bool   // other formats than JSON
	empty        bool   // a response without a body
}

func (w *writer) operation(method, path string, o *operation) {
	c := call{operation: o, method: method, path: path, name: exported(o.ID)}
	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			c.in = append(c.in, p)
		case p.In == "query":
			c.query = append(c.query, p)
		case p.Name == "Idempotency-Key":
			c.key = true
		}
	}
	if o.RequestBody != nil {
		c.body = "*" + w.typeOf(o.RequestBody.Content[mediaJSON].Schema)
		if method == "PATCH" { // null is not the same as left out
			c.body = "Fields"
		}
	}
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if status[0] != '2' {
			continue
		}
		of := o.Responses[status].Content
		if s, ok := of[mediaJSON]; ok && c.json == "" {
			c.json = w.typeOf(s.Schema)
		}
		c.others = c.others || len(of) > 1 || len(of) == 1 && c.json == ""
		c.empty = len(of) == 0
	}
	w.parameters(&c)
	switch {
	case c.json != "":
		w.typed(&c)
	case c.empty:
		fmt.Fprintf(w, "// %s: %s.\n", c.name, c.Summary)
		fmt.Fprintf(w, "func (c *Client) %s(%s) error {\nreturn c.do(ctx, %s, nil)\n}\n\n", c.name, c.signature(), c.request(`""`))
	}
	if c.others {
		w.streamed(&c)
	}
	w.iterated(&c)
}

// parameters writes the struct with the parameters of the query.
func (w *writer) parameters(c *call) {
	if len(c.query) == 0 {
		return
	}
	fmt.Fprintf(w, "// %sParameters are optional parameters of %s.\ntype %sParameters struct {\n", c.name, c.name, c.name)
	for _, p := range c.query {
		w.comment(p.Description)
		of := w.typeOf(p.Schema)
		if of == "any" || of == "time.Time" || strings.HasPrefix(of, "struct") {
			of = "string"
		}
		if plain(of) && of != "string" {
			of = "*" + of
		}
		fmt.Fprintf(w, "%s %s `query:%q`\n", exported(p.Name), of, p.Name)
	}
	w.WriteString("}\n\n")
}

// typed writes the method that decodes JSON.
func (w *writer) typed(c *call) {
	fmt.Fprintf(w, "// %s: %s.\n", c.name, c.Summary)
	fmt.Fprintf(w, "func (c *Client) %s(%s) (*%s, error) {\nvar out %s\nif err := c.do(ctx, %s, &out); err != nil {\nreturn nil, err\n}\nreturn &out, nil\n}\n\n",
		c.name, c.signature(), c.json, c.json, c.request("mediaJSON"))
}

// streamed writes the method that returns the response in another format.
func (w *writer) streamed(c *call) {
	name, accept, media := c.name, `""`, ""
	if c.json != "" || strings.HasPrefix(c.ID, "export-") {
		name, accept, media = c.name+"As", "media", ", media string"
	}
	fmt.Fprintf(w, "// %s: %s. The caller closes the response.\n", name, c.Summary)
	fmt.Fprintf(w, "func (c *Client) %s(%s%s) (io.ReadCloser, error) {\nreturn c.stream(ctx, %s)\n}\n\n", name, c.signature(), media, c.request(accept))
}

// iterated writes the method that reads all pages of a list.
func (w *writer) iterated(c *call) {
	has := func(name string) bool {
		return slices.ContainsFunc(c.query, func(p parameter) bool { return p.Name == name })
	}
	of := w.document.Components.Schemas[c.json]
	if c.method != "GET" || !has("limit") || !has("offset") || of == nil || of.Properties["data"] == nil || of.Properties["total"] == nil {
		return
	}
	element := strings.TrimPrefix(w.typeOf(of.Properties["data"]), "[]")
	names := ""
	for _, p := range c.in {
		names += local(p.Name) + ", "
	}
	fmt.Fprintf(w, "// %sAll iterates over all pages of %s, from the offset of the parameters. It ends after an error.\n", c.name, c.name)
	fmt.Fprintf(w, "func (c *Client) %sAll(%s) iter.Seq2[%s, error] {\nvar p %sParameters\nif parameters != nil {\np = *parameters\n}\n", c.name, c.signature(), element, c.name)
	fmt.Fprintf(w, "return pages(p.Limit, p.Offset, func(limit, offset *int64) ([]%s, int64, error) {\np.Limit, p.Offset = limit, offset\nout, err := c.%s(ctx, %s&p)\nif err != nil {\nreturn nil, 0, err\n}\nreturn out.Data, out.Total, nil\n})\n}\n\n", element, c.name, names)
}

// signature returns the parameters of the method.
func (c *call) signature() string {
	out := "ctx context.Context"
	for _, p := range c.in {
		out += ", " + local(p.Name) + " string"
	}
	if c.body != "" {
		out += ", body " + c.body
	}
	if len(c.query) > 0 {
		out += ", parameters *" + c.name + "Parameters"
	}
	return out
}

// request returns the literal of the request.
func (c *call) request(accept string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.TrimPrefix(c.path, "/"), "/") {
		if name, variable := strings.CutPrefix(part, "{"); variable {
			parts = append(parts, local(strings.TrimSuffix(name, "}")))
			continue
		}
		parts = append(parts, fmt.Sprintf("%q", part))
	}
	out := fmt.Sprintf("request{method: http.Method%s, path: []string{%s}, accept: %s", strings.ToUpper(c.method[:1])+strings.ToLower(c.method[1:]), strings.Join(parts, ", "), accept)
	if c.body != "" {
		out += ", body: body"
	}
	if len(c.query) > 0 {
		out += ", query: queryOf(parameters)"
	}
	if c.key {
		out += ", once: true"
	}
	return out + "}"
}
