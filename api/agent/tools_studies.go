package agent

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type simulatePlan struct {
	Prompt     string         `json:"prompt,omitempty" jsonschema:"the plan in words, such as: retire with 1000000 in 60% SPY and 40% AGG, withdraw 4% a year for 30 years; give prompt, script or rule"`
	Script     string         `json:"script,omitempty"`
	Rule       string         `json:"rule,omitempty" jsonschema:"a rule of the harness, such as withdraw_fixed"`
	Arguments  map[string]any `json:"arguments,omitempty" jsonschema:"of the rule"`
	Inputs     map[string]any `json:"inputs,omitempty" jsonschema:"with rule; universe is required"`
	Name       string         `json:"name,omitempty"`
	RequestKey string         `json:"request_key,omitempty" jsonschema:"a text that you choose: the same call with it is done once"`
	Size
}

type analyzeModels struct {
	Kind       string         `json:"kind,omitempty" jsonschema:"attribution, components, correlation, drawdowns, factors, frontier, regimes, report, rolling, stress, style, sweep, tails or walk_forward; give kind, prompt or script"`
	Arguments  map[string]any `json:"arguments,omitempty" jsonschema:"of the kind, by name, such as {\"y\": \"QQQ\", \"x\": [\"SPY\", \"TLT\"]}"`
	Inputs     map[string]any `json:"inputs,omitempty" jsonschema:"with kind, such as start_date"`
	Prompt     string         `json:"prompt,omitempty"`
	Script     string         `json:"script,omitempty"`
	Name       string         `json:"name,omitempty"`
	RequestKey string         `json:"request_key,omitempty" jsonschema:"a text that you choose: the same call with it is done once"`
	Size
}

func addStudies(s *mcp.Server, c Config) {
	add(s, c, "simulate", "Simulate a plan", "How long money lasts under a plan of saving or spending, over many possible futures: stores the simulation, waits, and returns its figures. Costs a build.", adds,
		func(ctx context.Context, api *caller, in simulatePlan) (map[string]any, error) {
			sent := body("prompt", in.Prompt, "script", in.Script, "rule", in.Rule, "name", in.Name)
			return api.study(ctx, c, "simulations", sent, in.Arguments, in.Inputs, in.RequestKey)
		})
	add(s, c, "analyze", "Analyze", "What moves models and assets, how they move together, where returns came from: stores the analysis, waits, and returns its figures and short tables. Costs a build.", adds,
		func(ctx context.Context, api *caller, in analyzeModels) (map[string]any, error) {
			sent := body("kind", in.Kind, "prompt", in.Prompt, "script", in.Script, "name", in.Name)
			return api.study(ctx, c, "analyses", sent, in.Arguments, in.Inputs, in.RequestKey)
		})
}

// study creates a simulation or an analysis, waits for it and reads its result.
func (c *caller) study(ctx context.Context, config Config, collection string, sent, arguments, inputs map[string]any, key string) (map[string]any, error) {
	if arguments != nil {
		sent["arguments"] = arguments
	}
	if inputs != nil {
		sent["inputs"] = inputs
	}
	var made object
	if err := c.post(ctx, sent, &made, key, collection); err != nil {
		return nil, err
	}
	out, err := c.built(ctx, config.Wait, collection, made)
	if err != nil || out["next"] != nil {
		return out, err
	}
	delete(out, "inputs_schema")
	var result struct {
		Scalars json.RawMessage `json:"scalars"`
		Tables  map[string]struct {
			Rows    int    `json:"rows"`
			Columns object `json:"columns"`
		} `json:"tables"`
	}
	id := made.text("id")
	if err := c.get(ctx, &result, nil, collection, id, "result"); err != nil {
		return nil, err
	}
	tables := map[string]any{}
	for name, t := range result.Tables {
		if t.Rows <= mostRows {
			tables[name] = t.Columns
			continue
		}
		tables[name] = map[string]any{"rows": t.Rows, "columns": slices.Sorted(maps.Keys(t.Columns))}
	}
	out["scalars"], out["tables"] = result.Scalars, tables
	out["more"] = c.base + address(nil, collection, id, "result")
	return out, nil
}

// mostRows is how many rows a table of a result may have to be shown whole.
const mostRows = 24
