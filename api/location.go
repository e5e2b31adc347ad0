package api

import (
	"net/http"
	"slices"
	"strings"

	"ballast/internal/fault"
)

// located says of details that name a field of the request where that field
// stands: in the path where the route has a variable of its name, else in the
// body or in the query, whichever requests of the method have.
func (x *exchange) located(details []fault.Detail) []fault.Detail {
	located := slices.Clone(details) // a fault may be shared by several requests
	for i := range located {
		if d := &located[i]; d.Field != "" {
			d.Location = x.part(d.Field) + "." + d.Field
		}
	}
	return located
}

// part is the part of the request in which a field stands.
func (x *exchange) part(field string) string {
	name := field
	if end := strings.IndexAny(field, ".["); end >= 0 {
		name = field[:end]
	}
	if _, ok := x.variables[name]; ok {
		return "path"
	}
	switch x.method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		return "body"
	}
	return "query"
}
