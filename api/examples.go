package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/api/web"
)

// The end-to-end tests in api/e2e record these examples, one per operation.
//
//go:embed examples.json
var recordedExamples []byte

// readExamples decodes the examples, by operation id.
func readExamples() (map[string]web.Example, error) {
	var all map[string]web.Example
	if err := json.Unmarshal(recordedExamples, &all); err != nil {
		return nil, fmt.Errorf("read the document's examples: %w", err)
	}
	return all, nil
}

// showExamples adds the examples to the document's operations.
func (s *Server) showExamples(all map[string]web.Example) {
	for _, item := range s.api.OpenAPI().Paths {
		for _, o := range transport.Operations(item) {
			e, ok := all[o.OperationID]
			if !ok {
				continue
			}
			if o.RequestBody != nil && e.Body != nil {
				show(o.RequestBody.Content, e.Body)
			}
			show(o.Responses[strconv.Itoa(e.Status)].Content, e.Answer)
		}
	}
}

// show replaces the media type with a copy, because responses of several statuses
// share one.
func show(content map[string]*huma.MediaType, value json.RawMessage) {
	media := *content[transport.MediaJSON]
	media.Example = value
	content[transport.MediaJSON] = &media
}
