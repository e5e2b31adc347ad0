package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
)

// example is a call of an operation and its answer, as the service gave it.
type example struct {
	Target string          `json:"target"` // path and query
	Body   json.RawMessage `json:"body"`
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`
}

// The end-to-end tests record the examples, by operation: see api/e2e.
//
//go:embed examples.json
var recordedExamples []byte

// readExamples reads the examples by operation.
func readExamples() (map[string]example, error) {
	var all map[string]example
	if err := json.Unmarshal(recordedExamples, &all); err != nil {
		return nil, fmt.Errorf("read the document's examples: %w", err)
	}
	return all, nil
}

// showExamples gives the document's operations their examples.
func (s *Server) showExamples(all map[string]example) {
	for _, item := range s.api.OpenAPI().Paths {
		for _, o := range operationsOf(item) {
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

// show is of a copy: the answers of several statuses share what they document.
func show(content map[string]*huma.MediaType, value json.RawMessage) {
	media := *content[transport.MediaJSON]
	media.Example = value
	content[transport.MediaJSON] = &media
}
