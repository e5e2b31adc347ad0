package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/program"
	"ballast/program/optimizers"
	"ballast/timeseries"
)

// OptimizerParameter names an optimizer.
type OptimizerParameter struct {
	Optimizer string `path:"optimizer" minLength:"1" doc:"Name in any case, or id"`
}

type createOptimizerInput struct {
	Body struct {
		Name      string `json:"name,omitempty" maxLength:"40" doc:"Required, unless a script has a NAME that fits: a letter, then letters, digits, spaces, _ and -; upper and lower case do not matter. Scripts use it: optimize(\"NAME\", panel)" example:"LOWVOL"`
		Prompt    string `json:"prompt,omitempty" maxLength:"20000" doc:"A description of the optimizer, such as: maximum Sharpe ratio, at most 40% each, called MAXSHARPE. Only a name goes with it" example:"minimum variance, at most 40% each, turnover at most 20%"`
		Objective string `json:"objective,omitempty" enum:"min_variance,max_sharpe,target_return,target_risk,mean_variance,risk_parity,max_diversification,hrp,min_cvar,black_litterman,script" doc:"What the weights are best at; required unless a prompt is given, or a script, whose objective is script"`
		OptimizerFields
	} `nameHint:"OptimizerCreate"`
}

type patchOptimizerInput struct {
	OptimizerParameter
	Body optimizerPatchFields `nameHint:"OptimizerPatch"`
}

// optimizerPatchFields accept an optimizer as a read returns it. Fields that are left out
// stay; those that the service sets are ignored.
type optimizerPatchFields struct {
	Name      field[string] `json:"name,omitempty" minLength:"1" maxLength:"40"`
	Objective field[string] `json:"objective,omitempty" enum:"min_variance,max_sharpe,target_return,target_risk,mean_variance,risk_parity,max_diversification,hrp,min_cvar,black_litterman,script"`
	OptimizerFields
	ID        json.RawMessage `json:"id,omitempty" readOnly:"true" doc:"Ignored"`
	Version   json.RawMessage `json:"version,omitempty" readOnly:"true" doc:"Ignored"`
	CreatedAt json.RawMessage `json:"created_at,omitempty" readOnly:"true" doc:"Ignored"`
	UpdatedAt json.RawMessage `json:"updated_at,omitempty" readOnly:"true" doc:"Ignored"`
}

// OptimizerFields are optional. null is the same as a field that is left out at creation.
type OptimizerFields struct {
	Target       field[float64]                     `json:"target,omitempty" nullable:"true" minimum:"-10" maximum:"10" doc:"Annual return or volatility, as a fraction, for target_return and target_risk"`
	Covariance   objectField[optimizer.Covariance]  `json:"covariance,omitempty" doc:"How the covariance is estimated; Ledoit and Wolf's shrinkage over 252 bars if left out"`
	Expected     objectField[optimizer.Expected]    `json:"expected,omitempty" doc:"How expected returns are estimated. max_sharpe, target_return, target_risk and mean_variance need it; others take none"`
	Bounds       field[map[string]optimizer.Bounds] `json:"bounds,omitempty" nullable:"true" doc:"Least and most weight by symbol; default is for all others, and [0, 1] if left out"`
	Groups       field[[]optimizer.Group]           `json:"groups,omitempty" nullable:"true" maxItems:"50" doc:"Limits of sums of weights; groups may overlap"`
	Turnover     objectField[optimizer.Turnover]    `json:"turnover,omitempty" doc:"Limit of what is traded, from the current weights. Nothing is limited while nothing is held"`
	Tracking     objectField[optimizer.Tracking]    `json:"tracking,omitempty" doc:"Limit of the tracking error"`
	Riskless     field[float64]                     `json:"riskless,omitempty" nullable:"true" minimum:"-0.5" maximum:"1" doc:"Annual riskless rate, as a fraction; 0 if left out"`
	RiskAversion field[float64]                     `json:"risk_aversion,omitempty" nullable:"true" minimum:"0" maximum:"1000000" doc:"For mean_variance, black_litterman and implied returns; 2.5 if left out"`
	Market       field[map[string]float64]          `json:"market,omitempty" nullable:"true" doc:"Weights of the market by symbol, for black_litterman and implied returns"`
	Views        field[[]optimizer.View]            `json:"views,omitempty" nullable:"true" maxItems:"50" doc:"Views of black_litterman"`
	Budget       field[map[string]float64]          `json:"budget,omitempty" nullable:"true" doc:"Shares of risk by symbol, for risk_parity; equal if left out"`
	Fallback     field[string]                      `json:"fallback,omitempty" nullable:"true" enum:"error,hold,equal_weight" doc:"What a script gets when no weights satisfy the limits; error if left out"`
	Script       field[string]                      `json:"script,omitempty" nullable:"true" doc:"A script with optimize(ctx), which returns the weights. Only bounds, groups, turnover, fallback and inputs go with it"`
	Inputs       field[map[string]any]              `json:"inputs,omitempty" nullable:"true" doc:"Values of the script's inputs; others have their defaults"`
}

// apply changes an optimizer.
func (f *optimizerPatchFields) apply(o *optimizers.Optimizer) {
	f.Name.replace(&o.Name)
	d := &o.Definition
	switch {
	case f.Script.Value != nil && f.Objective.Value == nil && d.Objective != optimizer.Scripted:
		*d = optimizer.Definition{Objective: optimizer.Scripted, Bounds: d.Bounds, Groups: d.Groups, Turnover: d.Turnover, Fallback: d.Fallback}
	case f.Objective.Value != nil && *f.Objective.Value != optimizer.Scripted:
		d.Script, d.Inputs = "", nil
	}
	f.Objective.replace(&d.Objective)
	f.define(d)
}

// define sets the given fields.
func (f *OptimizerFields) define(d *optimizer.Definition) {
	f.Target.point(&d.Target)
	f.Covariance.point(&d.Covariance)
	f.Expected.point(&d.Expected)
	f.Bounds.reset(&d.Bounds)
	f.Groups.reset(&d.Groups)
	f.Turnover.point(&d.Turnover)
	f.Tracking.point(&d.Tracking)
	f.Riskless.reset(&d.Riskless)
	f.RiskAversion.reset(&d.RiskAversion)
	f.Market.reset(&d.Market)
	f.Views.reset(&d.Views)
	f.Budget.reset(&d.Budget)
	f.Fallback.reset(&d.Fallback)
	f.Script.reset(&d.Script)
	f.Inputs.reset(&d.Inputs)
}

// objectField is a field that holds an object, or null.
type objectField[T any] struct{ field[T] }

// Schema implements huma.SchemaProvider.
func (f objectField[T]) Schema(r huma.Registry) *huma.Schema {
	s := &huma.Schema{AnyOf: []*huma.Schema{f.field.Schema(r), {Type: "null"}}}
	s.PrecomputeMessages()
	return s
}

// replace sets a value that cannot be cleared.
func (f field[T]) replace(to *T) {
	if f.Value != nil {
		*to = *f.Value
	}
}

// reset sets a value, for null to its zero value.
func (f field[T]) reset(to *T) {
	if f.Given {
		var zero T
		*to = zero
		f.replace(to)
	}
}

// point sets a value that may be null.
func (f field[T]) point(to **T) {
	if f.Given {
		*to = f.Value
	}
}

// optimizerBody is a version of an optimizer.
type optimizerBody struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version int    `json:"version" doc:"A version never changes; runs name the version that they have used"`
	optimizer.Definition
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at" doc:"When the version was made"`
}

func optimizerBodyOf(o *optimizers.Optimizer) optimizerBody {
	return optimizerBody{ID: o.ID, Name: o.Name, Version: o.Version, Definition: o.Definition, CreatedAt: o.CreatedAt.UTC(), UpdatedAt: o.UpdatedAt.UTC()}
}

type optimizerOutput struct{ Body optimizerBody }

type optimizersOutput struct{ Body pageBody[optimizerBody] }

type optimizerVersionsInput struct {
	OptimizerParameter
	PageParameters
}

type solveInput struct {
	OptimizerParameter
	Body struct {
		Universe []string           `json:"universe" maxItems:"500" doc:"Assets by symbol or id, and your models, as in a model's universe"`
		EndDate  string             `json:"end_date,omitempty" format:"date" doc:"Last day whose returns are used; the last session if left out"`
		Current  map[string]float64 `json:"current,omitempty" doc:"Weights that are held, for a limit of turnover"`
		Lookback int                `json:"lookback,omitempty" minimum:"2" maximum:"20000" doc:"Bars in the panel of a script; 252 if left out. Only for optimizers that are scripts"`
	} `nameHint:"OptimizerSolve"`
}

type solvedOutput struct{ Body solvedBody }

type solvedBody struct {
	Weights     map[string]float64 `json:"weights"`
	Objective   *float64           `json:"objective" doc:"null for a script; otherwise the value of the objective, per bar: the variance; the ratio of return or volatility to risk; the return for target_risk; the utility for mean_variance"`
	Certificate certificateBody    `json:"certificate" doc:"A check of the weights that shares no code with the solver"`
	Estimates   estimatesBody      `json:"estimates"`
	Tags        []optimizer.Tagged `json:"tags" doc:"What the tags of the groups mean in this universe"`
}

type certificateBody struct {
	Checked     string   `json:"checked" enum:"optimality,feasibility" doc:"optimality: no weights within the limits are better. feasibility, for a script: the weights are finite, add up to 1 and are within the limits, and nothing else was checked"`
	KKTResidual *float64 `json:"kkt_residual" doc:"null for a script; otherwise how far the weights are from the conditions of Karush, Kuhn and Tucker: the largest relative violation. For risk_parity, by how much shares of risk differ; for hrp, which optimises nothing, by how much a limit is broken"`
	Violation   *float64 `json:"violation,omitempty" doc:"For a script, by how much a limit is broken, at most 1e-9"`
	Feasible    bool     `json:"feasible"`
	Active      []string `json:"active" doc:"Limits that the weights are at"`
}

type estimatesBody struct {
	Covariance map[string]map[string]float64 `json:"covariance" nullable:"true" doc:"Per bar, by symbol and symbol; null for a script, whose estimates are its own"`
	Expected   map[string]float64            `json:"expected" nullable:"true" doc:"Expected returns per bar, by symbol; null if the objective takes none. For black_litterman, above the riskless rate"`
	Bars       int                           `json:"bars" doc:"Returns that the members have in common and that are not older than the lookback"`
	StartDate  timeseries.Date               `json:"start_date"`
	EndDate    timeseries.Date               `json:"end_date"`
}

func (s *Server) registerOptimizers() {
	register(s, route{
		method: http.MethodPost, path: "/v1/optimizers", id: "create-optimizer", tag: tagModels, status: http.StatusCreated,
		summary:     "Create an optimizer",
		description: "Stores a rule for weights under a name: an objective, how risk and returns are estimated, and limits, as fields or as a prompt in [words](/docs/prompts). Limits are constraints of the problem, not cuts of its answer.",
		faults:      []fault.Type{fault.SymbolTaken, fault.InvalidScript, fault.UnknownMember},
	}, s.createOptimizer)
	register(s, route{
		method: http.MethodGet, path: "/v1/optimizers", id: "list-optimizers", tag: tagModels, status: http.StatusOK,
		summary: "List optimizers", description: "Lists your optimizers by name, in their current versions.",
	}, s.listOptimizers)
	register(s, route{
		method: http.MethodGet, path: "/v1/optimizers/{optimizer}", id: "get-optimizer", tag: tagModels, status: http.StatusOK,
		summary: "Read an optimizer", description: "Returns the current version of an optimizer.", faults: []fault.Type{fault.NotFound},
	}, s.getOptimizer)
	register(s, route{
		method: http.MethodPatch, path: "/v1/optimizers/{optimizer}", id: "patch-optimizer", tag: tagModels, status: http.StatusOK,
		summary:     "Change an optimizer",
		description: "Makes a new version with the given fields; the others stay, and null resets a field. Models whose live run has used the optimizer and that refresh automatically are queued. A change that says nothing new makes no version.",
		faults:      []fault.Type{fault.NotFound, fault.SymbolTaken, fault.InvalidScript, fault.OptimizerInUse},
	}, s.patchOptimizer)
	register(s, route{
		method: http.MethodDelete, path: "/v1/optimizers/{optimizer}", id: "delete-optimizer", tag: tagModels, status: http.StatusOK,
		summary: "Delete an optimizer", description: "Deletes an optimizer that no model's script names. Runs that have used it keep their results.",
		faults: []fault.Type{fault.NotFound, fault.OptimizerInUse},
	}, s.deleteOptimizer)
	register(s, route{
		method: http.MethodGet, path: "/v1/optimizers/{optimizer}/versions", id: "list-optimizer-versions", tag: tagModels, status: http.StatusOK,
		summary: "List the versions of an optimizer", description: "Lists all versions of an optimizer, newest first.", faults: []fault.Type{fault.NotFound},
	}, s.listOptimizerVersions)
	register(s, route{
		method: http.MethodPost, path: "/v1/optimizers/{optimizer}/solve", id: "solve-optimizer", tag: tagModels, status: http.StatusOK,
		summary:     "Compute weights",
		description: "Computes the weights of an optimizer for a universe, with a certificate and the estimates that they rest on. Nothing is stored or metered. If no weights satisfy the limits, the error names those that contradict one another.",
		faults:      []fault.Type{fault.NotFound, fault.UnknownMember},
	}, s.solveOptimizer)
}

func optimizerAnswer(o *optimizers.Optimizer, err error) (*optimizerOutput, error) {
	if err != nil {
		return nil, err
	}
	return &optimizerOutput{optimizerBodyOf(o)}, nil
}

func (s *Server) createOptimizer(ctx context.Context, in *createOptimizerInput) (*optimizerOutput, error) {
	d := optimizer.Definition{Objective: in.Body.Objective}
	in.Body.define(&d)
	if strings.TrimSpace(in.Body.Prompt) != "" {
		return s.describedOptimizer(ctx, in.Body.Name, in.Body.Prompt, d)
	}
	if d.Objective == "" && d.Script != "" {
		d.Objective = optimizer.Scripted
	}
	return optimizerAnswer(s.Optimizers.Create(ctx, accountOf(ctx), in.Body.Name, d))
}

// describedOptimizer creates an optimizer from words. Nothing else but a name goes with them.
func (s *Server) describedOptimizer(ctx context.Context, name, prompt string, given optimizer.Definition) (*optimizerOutput, error) {
	if !reflect.ValueOf(given).IsZero() {
		return nil, fault.New(fault.InvalidBody, "A prompt says everything about an optimizer but its name: send either a prompt or the other fields.").With(
			fault.Detail{Field: "prompt", Message: "goes with name alone", Accepted: []string{"prompt and name", "objective and its fields"}})
	}
	o, err := s.Builder.Optimizer(ctx, accountOf(ctx), prompt)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = o.Name
	}
	return optimizerAnswer(s.Optimizers.Create(ctx, accountOf(ctx), name, o.Definition))
}

func (s *Server) listOptimizers(ctx context.Context, in *PageParameters) (*optimizersOutput, error) {
	list, total, err := s.Optimizers.Optimizers(ctx, accountOf(ctx), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &optimizersOutput{pageOf(list, total, optimizerBodyOf)}, nil
}

func (s *Server) getOptimizer(ctx context.Context, in *OptimizerParameter) (*optimizerOutput, error) {
	return optimizerAnswer(s.Optimizers.Find(ctx, accountOf(ctx), in.Optimizer))
}

func (s *Server) patchOptimizer(ctx context.Context, in *patchOptimizerInput) (*optimizerOutput, error) {
	return optimizerAnswer(s.Optimizers.Revise(ctx, accountOf(ctx), in.Optimizer, in.Body.apply))
}

func (s *Server) deleteOptimizer(ctx context.Context, in *OptimizerParameter) (*deletedOutput, error) {
	optimizerID, err := s.Optimizers.Delete(ctx, accountOf(ctx), in.Optimizer)
	if err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: optimizerID, Deleted: true}}, nil
}

func (s *Server) listOptimizerVersions(ctx context.Context, in *optimizerVersionsInput) (*optimizersOutput, error) {
	list, total, err := s.OptimizerAnswers.Versions(ctx, accountOf(ctx), in.Optimizer, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &optimizersOutput{pageOf(list, total, optimizerBodyOf)}, nil
}

func (s *Server) solveOptimizer(ctx context.Context, in *solveInput) (*solvedOutput, error) {
	a, err := s.OptimizerAnswers.Solve(ctx, accountOf(ctx), in.Optimizer, optimizers.SolveRequest{Universe: in.Body.Universe, EndDate: dateOf(in.Body.EndDate), Current: in.Body.Current, Lookback: in.Body.Lookback})
	if err != nil {
		return nil, err
	}
	b := solvedBody{
		Weights:     make(map[string]float64, len(a.Universe)),
		Certificate: certificateBody{Checked: program.CertifiedFeasible, Violation: &a.Residual, Feasible: true, Active: a.Active},
		Estimates:   estimatesBody{Bars: a.Bars, StartDate: a.First, EndDate: a.Last},
		Tags:        append([]optimizer.Tagged{}, a.Tags...),
	}
	for i, symbol := range a.Universe {
		b.Weights[symbol] = a.Weights[i]
	}
	if a.Covariance == nil {
		return &solvedOutput{b}, nil
	}
	b.Objective, b.Certificate.Checked, b.Certificate.KKTResidual, b.Certificate.Violation = &a.Objective, program.CertifiedBest, &a.Residual, nil
	b.Estimates.Covariance = make(map[string]map[string]float64, len(a.Universe))
	for i, symbol := range a.Universe {
		row := make(map[string]float64, len(a.Universe))
		for k, other := range a.Universe {
			row[other] = a.Covariance.At(i, k)
		}
		b.Estimates.Covariance[symbol] = row
		if a.Expected != nil {
			if b.Estimates.Expected == nil {
				b.Estimates.Expected = make(map[string]float64, len(a.Universe))
			}
			b.Estimates.Expected[symbol] = a.Expected[i]
		}
	}
	return &solvedOutput{b}, nil
}
