package api

import (
	"net/http"
	"slices"
	"strings"

	"ballast/internal/fault"
)

// located adds the location to details that name what is wrong. A stored thing is its
// own location. A field of the request is in the path if the route has a variable of
// that name, otherwise in the body or the query, depending on the method.
func (x *exchange) located(details []fault.Detail) []fault.Detail {
	located := slices.Clone(details) // several requests may share a fault
	for i := range located {
		switch d := &located[i]; {
		case d.Of != "":
			d.Location = d.Name()
		case d.Field != "":
			d.Location = x.part(d.Field) + "." + d.Field
		}
	}
	return located
}

// part returns the part of the request that a field is in.
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
