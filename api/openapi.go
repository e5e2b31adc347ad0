package api

import (
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
)

// Names of the security schemes in the document.
const (
	bearerScheme = "apiKey"
	cookieScheme = "session"
)

// interfaceVersion is the version of the interface that the document declares.
const interfaceVersion = "1.0.0"

// Tags of operations, which are the sections of the reference.
const (
	tagModels      = "Models"
	tagSimulations = "Simulations"
	tagAnalyses    = "Analyses"
	tagRuns        = "Runs and builds"
	tagRevisions   = "Drafts and revisions"
	tagAssets      = "Assets"
	tagExports     = "Exports"
	tagQuery       = "SQL"
	tagAccount     = "Account"
	tagShares      = "Shares"
	tagEvents      = "Webhooks"
	tagService     = "Service"
)

func (s *Server) humaConfig() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title:   "Ballast",
				Version: interfaceVersion,
				Description: "Build, backtest and serve asset-allocation models.\n\n" +
					"Bodies are JSON. Dates are YYYY-MM-DD, timestamps ISO 8601 with a zone. Fractions everywhere: 0.07 is 7 %. " +
					"A value that is not a number is null. Lists are {data, total} and are paged with limit and offset. " +
					"A list parameter may be repeated or comma-separated. Booleans in the query are true, True, TRUE or 1, and false, False, FALSE or 0. " +
					"Unknown parameters and fields are refused; null for an optional field means the same as leaving it out, and in a PATCH clears what can be cleared. Responses may gain fields. " +
					"Responses to reads have an ETag; a request with a matching If-None-Match gets 304. Every response has X-Request-Id.",
			},
			Servers: s.servers(),
			Components: &huma.Components{
				Schemas: newRegistry(),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					bearerScheme: {Type: "http", Scheme: "bearer", Description: "An API key: bk_ and 43 characters."},
					cookieScheme: {Type: "apiKey", In: "cookie", Name: s.cookieName(), Description: "A signed-in session, from POST /v1/session or /signin. Requests that change something must come from the service's own pages."},
				},
			},
			Tags: []*huma.Tag{
				{Name: tagModels, Description: "A model allocates weights among assets, other models, or both. A script defines it; its build and first run happen in the background. {model} is the id, slug, symbol or exact name of one of your models, or the slug of a public one."},
				{Name: tagSimulations, Description: "A simulation projects a sum of money over many possible futures and reports how long it lasts. A script decides what is withdrawn; the futures are drawn from the history of its members. {simulation} is the id, slug, symbol or exact name of one of your simulations, or the slug of a public one."},
				{Name: tagAnalyses, Description: "An analysis explains what assets, models and series from outside have done: which factors move them, how they move together, what they lost in bad times. {analysis} is the id, slug, symbol or exact name of one of your analyses, or the slug of a public one."},
				{Name: tagRuns, Description: "A run executes a model with given inputs. With the defaults it is the live run, whose result the model serves; with other inputs it is a snapshot."},
				{Name: tagRevisions, Description: "You edit a model's strategy as a draft, test it as a revision, and apply the revision when you have seen the result; until then the model serves the same as before. Saving a draft is free; a test is metered once."},
				{Name: tagAssets, Description: "What models may hold, and its daily total returns. {asset} is a symbol or an id."},
				{Name: tagExports, Description: "Whole tables as Parquet, or as an Arrow stream where Accept asks for application/vnd.apache.arrow.stream. They are streamed, so they have no ETag."},
				{Name: tagQuery, Description: "SQL over all of your results. The page docs/sql.md has the tables, their columns and examples. Answers are streamed, so they have no ETag."},
				{Name: tagAccount, Description: "The caller and the caller's keys."},
				{Name: tagShares, Description: "A share is a link to the page of a result for people without an account. It shows the parts of the page that you choose, until you pause or end it."},
				{Name: tagEvents, Description: "Endpoints to which the service sends events. Each event is POSTed as {type, timestamp, data}, signed by the Standard Webhooks scheme (webhook-id, webhook-timestamp, webhook-signature): check the signature, and treat an id that you have already seen as the same event. Any 2xx status confirms receipt. A failed delivery is repeated for three days; the events of one model arrive in order."},
				{Name: tagService, Description: "The service itself. These need no key."},
			},
		},
		Formats:       transport.Formats(),
		DefaultFormat: transport.MediaJSON,
	}
}

func (s *Server) servers() []*huma.Server {
	if s.PublicURL == "" {
		return []*huma.Server{{URL: "/"}}
	}
	return []*huma.Server{{URL: s.PublicURL}}
}

// errorSchema returns a reference to the schema of errors.
func (s *Server) errorSchema() *huma.Schema {
	return s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[errorBody](), true, "Error")
}

// finishDocument removes huma's own error schema, which nothing uses, describes the
// fields of domain types, and corrects where null is allowed.
func (s *Server) finishDocument() error {
	document := s.api.OpenAPI()
	schemas := document.Components.Schemas.Map()
	delete(schemas, "ErrorModel")
	delete(schemas, "ErrorDetail")
	if err := describeProperties(document.Components.Schemas, properties); err != nil {
		return err
	}
	tellNulls(document.Components.Schemas)
	s.tellRequests()
	s.tellVocabularies()
	for _, item := range document.Paths {
		for _, operation := range transport.Operations(item) {
			for _, p := range operation.Parameters {
				p.Schema.Nullable = false // an address cannot contain null
				if p.In == "query" && !p.Required {
					transport.AllowEmptyDay(p.Schema)
				}
				if p.Schema.Type != huma.TypeArray {
					continue
				}
				if p.Schema.MinItems == nil {
					one := 1 // an empty list is written by leaving the parameter out
					p.Schema.MinItems = &one
				}
				if p.Schema.MaxItems == nil {
					most := transport.MaxListed
					p.Schema.MaxItems = &most
				}
				if items := p.Schema.Items; items.Type == huma.TypeString && items.Enum == nil && items.Pattern == "" {
					items.Pattern = "^[^,]*$" // a comma separates entries
					items.PrecomputeMessages()
				}
			}
			s.boundIntegers(operation)
			s.allowEmptyDays(operation)
		}
	}
	return nil
}

// tellRequests separates the schemas of requests from those of responses. An optional
// field of a request may be null, which means the same as leaving it out. A response
// may gain fields, while a request with unknown fields is refused.
func (s *Server) tellRequests() {
	document := s.api.OpenAPI()
	requests := map[*huma.Schema]bool{}
	for _, item := range document.Paths {
		for _, operation := range transport.Operations(item) {
			if operation.RequestBody == nil {
				continue
			}
			for _, media := range operation.RequestBody.Content {
				s.collect(media.Schema, requests)
			}
		}
	}
	for schema := range requests {
		for name, property := range schema.Properties {
			if !slices.Contains(schema.Required, name) {
				allowNull(property)
			}
		}
	}
	for _, schema := range document.Components.Schemas.Map() {
		if closed, ok := schema.AdditionalProperties.(bool); ok && !closed && !requests[schema] {
			schema.AdditionalProperties = nil
		}
	}
}

// collect adds the object schemas that a schema consists of.
func (s *Server) collect(schema *huma.Schema, into map[*huma.Schema]bool) {
	schema = transport.Resolve(s.documentSchemas(), schema)
	if into[schema] {
		return
	}
	if schema.Type == huma.TypeObject {
		into[schema] = true
	}
	if schema.Items != nil {
		s.collect(schema.Items, into)
	}
	for _, property := range schema.Properties {
		s.collect(property, into)
	}
}

// boundIntegers limits integers of a body that have no maximum to 2^53 − 1, the
// largest that every JSON reader keeps exact. It fits into Go's int.
func (s *Server) boundIntegers(operation *huma.Operation) {
	if operation.RequestBody == nil {
		return
	}
	for _, media := range operation.RequestBody.Content {
		for _, property := range transport.Resolve(s.documentSchemas(), media.Schema).Properties {
			if property.Type == huma.TypeInteger && property.Maximum == nil {
				largest := float64(1<<53 - 1)
				property.Maximum = &largest
				property.PrecomputeMessages()
			}
		}
	}
}

// allowEmptyDays lets the optional dates and times of a body be empty, as CheckBody
// accepts them.
func (s *Server) allowEmptyDays(operation *huma.Operation) {
	if operation.RequestBody == nil {
		return
	}
	for _, media := range operation.RequestBody.Content {
		schema := transport.Resolve(s.documentSchemas(), media.Schema)
		for name, property := range schema.Properties {
			if !slices.Contains(schema.Required, name) {
				transport.AllowEmptyDay(property)
			}
		}
	}
}
