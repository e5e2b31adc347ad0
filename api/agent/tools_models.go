package agent

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type checkStrategy struct {
	Prompt string `json:"prompt,omitempty" jsonschema:"the strategy in words; give either prompt or script"`
	Script string `json:"script,omitempty" jsonschema:"the strategy as a script of the contract"`
	Size
}

type createModel struct {
	Prompt     string `json:"prompt,omitempty" jsonschema:"the strategy in words; with a script, its description"`
	Script     string `json:"script,omitempty" jsonschema:"the strategy as a script of the contract"`
	Name       string `json:"name,omitempty"`
	Symbol     string `json:"symbol,omitempty" jsonschema:"a capital letter and up to 11 capitals, digits, dots and hyphens"`
	RequestKey string `json:"request_key,omitempty" jsonschema:"a text that you choose: the same call with it creates one model, even if repeated"`
	Size
}

type runWhatIf struct {
	Model      string         `json:"model" jsonschema:"symbol, id or exact name"`
	Inputs     map[string]any `json:"inputs,omitempty" jsonschema:"values by input; the others keep their defaults. create_model and check_strategy show the inputs"`
	Label      string         `json:"label,omitempty"`
	RequestKey string         `json:"request_key,omitempty" jsonschema:"a text that you choose: the same call with it starts one run, even if repeated"`
	Size
}

func addModels(s *mcp.Server, c Config) {
	add(s, c, "check_strategy", "Check a strategy", "Reads a strategy in words, or checks a script, and stores nothing. Says in plain English what it would do, or what is wrong and what is accepted.", reads,
		func(ctx context.Context, api *caller, in checkStrategy) (map[string]any, error) {
			var out map[string]any
			err := api.post(ctx, body("prompt", in.Prompt, "script", in.Script), &out, "", "models", "validate")
			return out, err
		})
	add(s, c, "create_model", "Create a model", "Builds and stores a model from words or a script, waits for its backtest, and returns its figures. Costs a build.", adds,
		func(ctx context.Context, api *caller, in createModel) (map[string]any, error) {
			var made object
			sent := body("prompt", in.Prompt, "script", in.Script, "name", in.Name, "symbol", in.Symbol)
			if err := api.post(ctx, sent, &made, in.RequestKey, "models"); err != nil {
				return nil, err
			}
			return api.built(ctx, c.Wait, "models", made)
		})
	add(s, c, "run_what_if", "Run a what-if", "Runs a model once with other inputs and returns the figures beside those that the model serves. The model stays as it is. Costs a run.", adds,
		func(ctx context.Context, api *caller, in runWhatIf) (map[string]any, error) {
			sent := body("intent", "test", "label", in.Label)
			sent["wait"] = true
			if in.Inputs != nil {
				sent["inputs"] = in.Inputs
			}
			var run object
			if err := api.post(ctx, sent, &run, in.RequestKey, "models", in.Model, "runs"); err != nil {
				return nil, err
			}
			out := run.pick("id", "status", "label", "inputs", "error")
			switch run.text("status") {
			case "complete":
				var err error
				if out["what_if"], err = api.figures(ctx, in.Model, url.Values{"run_id": {run.text("id")}}); err != nil {
					return nil, err
				}
				if out["served"], err = api.figures(ctx, in.Model, nil); err != nil {
					return nil, err
				}
			case "failed":
			default:
				out["next"] = "The run goes on. Call get_job with its id, then compare with its id."
			}
			out["more"] = api.base + address(nil, "runs", run.text("id"))
			return out, nil
		})
}

// body makes a JSON body of names and values, without those that are "".
func body(pairs ...string) map[string]any {
	out := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out[pairs[i]] = pairs[i+1]
		}
	}
	return out
}

// patience is the time between two looks at work in progress.
const patience = 200 * time.Millisecond

// settled reads an object again until done says that its work has ended, or most has
// passed.
func (c *caller) settled(ctx context.Context, most time.Duration, o object, done func(object) bool, path ...string) (object, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for pause := patience / 4; !done(o); pause = min(2*pause, 5*patience) {
		select {
		case <-ctx.Done():
			return o, nil
		case <-time.After(pause):
		}
		var next object
		if err := c.get(ctx, &next, nil, path...); err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				return o, nil
			}
			return nil, err
		}
		o = next
	}
	return o, nil
}

// idle reports whether no work on a program is in progress.
func idle(o object) bool { return string(o["run"]) == "null" && o.text("status") != "building" }

// built waits for a new program's build and returns what it became.
func (c *caller) built(ctx context.Context, wait time.Duration, collection string, made object) (map[string]any, error) {
	id := made.text("id")
	o, err := c.settled(ctx, wait, made, idle, collection, id)
	if err != nil {
		return nil, err
	}
	out := o.pick("id", "name", "symbol", "status", "description", "universe", "as_of", "warning", "error", "url", "inputs_schema")
	out["more"] = c.base + address(nil, collection, id)
	switch {
	case !idle(o):
		out["next"] = "The build goes on. Call get_job with the id."
	case o.text("status") == "failed":
		out["next"] = "The build failed; error says why. Change the words or the script and create it again."
	case collection == "models":
		if out["figures"], err = c.figures(ctx, id, nil); err != nil {
			return nil, err
		}
		out["next"] = "get_performance, get_allocation and explain_return say more."
	}
	return out, nil
}
