package transport

import "github.com/danielgtaylor/huma/v2"

// Operations returns the operations of a path, in a fixed order of methods.
func Operations(item *huma.PathItem) []*huma.Operation {
	var out []*huma.Operation
	for _, o := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}
