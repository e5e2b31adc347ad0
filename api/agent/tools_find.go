package agent

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type searchAssets struct {
	Query      string   `json:"query,omitempty" jsonschema:"ticker or words of the name"`
	AssetClass string   `json:"asset_class,omitempty" jsonschema:"equity, fixed_income, commodity, currency, alternatives or asset_allocation"`
	Type       string   `json:"type,omitempty" jsonschema:"etf, fund, stock or crypto"`
	Tags       []string `json:"tags,omitempty" jsonschema:"any of these, each as dimension:value, such as region:global"`
	FirstPrice string   `json:"first_price_by,omitempty" jsonschema:"only assets with prices since this date, YYYY-MM-DD"`
	Limit      int      `json:"limit,omitempty" jsonschema:"default 10, at most 50"`
	Offset     int      `json:"offset,omitempty"`
	Size
}

type listModels struct {
	Query  string `json:"query,omitempty" jsonschema:"words of the name, or a symbol"`
	Limit  int    `json:"limit,omitempty" jsonschema:"default 10, at most 50"`
	Offset int    `json:"offset,omitempty"`
	Size
}

// page is a list of the interface.
type page struct {
	Data  []object `json:"data"`
	Total int      `json:"total"`
}

func addFinding(s *mcp.Server, c Config) {
	add(s, c, "search_assets", "Search assets", "Finds assets that models can hold, by ticker, name and class, with the dates of their prices.", reads,
		func(ctx context.Context, api *caller, in searchAssets) (map[string]any, error) {
			q := paging(in.Limit, in.Offset)
			set(q, "q", in.Query)
			set(q, "asset_class", in.AssetClass)
			set(q, "type", in.Type)
			set(q, "max_first_price_date", in.FirstPrice)
			for _, tag := range in.Tags {
				q.Add("tags", tag)
			}
			return api.list(ctx, q, "assets", "symbol", "name", "type", "asset_class", "expense_ratio", "leverage", "tags", "first_price_date", "last_price_date", "delisted")
		})
	add(s, c, "list_models", "List models", "Lists the account's models with the figures of their whole history.", reads,
		func(ctx context.Context, api *caller, in listModels) (map[string]any, error) {
			q := paging(in.Limit, in.Offset)
			set(q, "q", in.Query)
			q.Set("include", "figures")
			return api.list(ctx, q, "models", "id", "symbol", "name", "status", "as_of", "description", "figures")
		})
}

// paging returns the parameters of a page.
func paging(limit, offset int) url.Values {
	if limit <= 0 {
		limit = 10
	}
	q := url.Values{"limit": {strconv.Itoa(min(limit, 50))}}
	if offset > 0 {
		q.Set("offset", strconv.Itoa(offset))
	}
	return q
}

// set sets a parameter, unless the value is "".
func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

// list reads a page of a collection with some fields of each element.
func (c *caller) list(ctx context.Context, q url.Values, collection string, fields ...string) (map[string]any, error) {
	var p page
	if err := c.get(ctx, &p, q, collection); err != nil {
		return nil, err
	}
	rows := make([]any, len(p.Data))
	for i, o := range p.Data {
		rows[i] = o.pick(fields...)
	}
	return map[string]any{collection: rows, "total": p.Total, "more": c.base + address(q, collection)}, nil
}

// pick returns some fields of an object, without those that are null.
func (o object) pick(fields ...string) map[string]any {
	out := map[string]any{}
	for _, f := range fields {
		if v, ok := o[f]; ok && string(v) != "null" {
			out[f] = v
		}
	}
	return out
}

// value returns a field; nil if it is null or missing.
func (o object) value(field string) any {
	var v any
	_ = json.Unmarshal(o[field], &v) // a missing field is nil
	return v
}

// text returns a text field, or "".
func (o object) text(field string) string {
	var s string
	_ = json.Unmarshal(o[field], &s) // other types count as no text
	return s
}

// object returns a field that is an object; nil if it is not.
func (o object) object(field string) object {
	var out object
	_ = json.Unmarshal(o[field], &out) // other types count as no object
	return out
}
