package grammar

import (
	"context"

	"ballast/program/generate"
)

// remembered looks names up once.
type remembered struct {
	generate.Library
	known  map[string]generate.Member
	asked  map[string]bool
	models []generate.Member
	listed bool
}

func (r *remembered) Members(ctx context.Context, names []string) (map[string]generate.Member, error) {
	var strange []string
	for _, name := range names {
		if !r.asked[name] {
			strange = append(strange, name)
		}
	}
	if len(strange) > 0 {
		more, err := r.Library.Members(ctx, strange)
		if err != nil {
			return nil, err
		}
		for _, name := range strange {
			r.asked[name] = true
			if m, ok := more[name]; ok {
				r.known[name] = m
			}
		}
	}
	found := map[string]generate.Member{}
	for _, name := range names {
		if m, ok := r.known[name]; ok {
			found[name] = m
		}
	}
	return found, nil
}

func (r *remembered) Models(ctx context.Context) ([]generate.Member, error) {
	if r.listed {
		return r.models, nil
	}
	models, err := r.Library.Models(ctx)
	if err == nil {
		r.models, r.listed = models, true
	}
	return models, err
}
