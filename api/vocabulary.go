package api

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/catalog/classify"
)

// tellVocabularies lists the values of filters that accept any text (countries,
// sectors and tags), because no schema does.
func (s *Server) tellVocabularies() {
	var tags []string
	for _, d := range classify.Vocabulary() {
		for _, v := range d.Values {
			tags = append(tags, d.Name+":"+v)
		}
	}
	for _, item := range s.api.OpenAPI().Paths {
		for _, operation := range transport.Operations(item) {
			for _, p := range operation.Parameters {
				switch p.Name {
				case "country":
					nameValues(p, p.Schema, classify.Countries())
				case "domicile":
					nameValues(p, p.Schema, classify.Domiciles())
				case "sector":
					nameValues(p, p.Schema, classify.Sectors())
				case "tags":
					nameValues(p, p.Schema.Items, tags)
				}
			}
		}
	}
}

// nameValues adds the known values of a parameter to its description and its schema.
func nameValues(p *huma.Param, schema *huma.Schema, values []string) {
	p.Description += ". The values: " + strings.Join(values, ", ")
	schema.Examples = make([]any, len(values))
	for i, v := range values {
		schema.Examples[i] = v
	}
}
