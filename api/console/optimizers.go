package console

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"

	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/program/optimizers"
	"ballast/script"
	"ballast/timeseries"
)

// Optimizers keeps rules for weights. Methods return faults. *optimizers.Service
// implements it.
type Optimizers interface {
	Create(ctx context.Context, accountID, name string, d optimizer.Definition) (*optimizers.Optimizer, error)
	Optimizers(ctx context.Context, accountID string, limit, offset int) ([]*optimizers.Optimizer, int, error)
	Find(ctx context.Context, accountID, ref string) (*optimizers.Optimizer, error)
	Revise(ctx context.Context, accountID, ref string, change func(o *optimizers.Optimizer)) (*optimizers.Optimizer, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// Solver reads more of optimizers. *optimizers.Service implements it.
type Solver interface {
	Versions(ctx context.Context, accountID, ref string, limit, offset int) ([]*optimizers.Optimizer, int, error)
	Solve(ctx context.Context, accountID, ref string, r optimizers.SolveRequest) (*optimizers.Solved, error)
}

const optimizersRoot = Root + "/optimizers"

// optimizerAddress is the address of the page of an optimizer.
func optimizerAddress(id string) string { return optimizersRoot + "/" + url.PathEscape(id) }

// optimizerList is the page of the account's optimizers.
type optimizerList struct {
	Rows  []*optimizers.Optimizer
	Pager pager
}

func (c *Console) listOptimizers(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	list, total, err := c.Optimizers.Optimizers(r.Context(), r.account(), pageSize, (page-1)*pageSize)
	return view{Template: "optimizers.html", Title: "Optimizers", Section: optimizersRoot, Data: &optimizerList{list, r.pages(page, total)}}, err
}

// optimizerPage is the form of an optimizer and, of one that exists, its versions and the
// weights that it finds.
type optimizerPage struct {
	*optimizers.Optimizer // nil for a new one
	Base                  string
	Fields                optimizerFields
	Version               int // that the form started from
	Versions              []*optimizers.Optimizer
	Universe, EndDate     string
	Weights               []weightRow
	Solved                *optimizers.Solved
	FormKey               string
}

// weightRow is a weight of a solution.
type weightRow struct {
	Symbol string
	Weight float64
}

// shownVersions is how many versions of an optimizer its page lists.
const shownVersions = 20

func (c *Console) newOptimizer(r *request) (view, error) {
	return optimizerView(&optimizerPage{Base: optimizersRoot + "/new", Fields: newOptimizerFields(), FormKey: r.formKey()}), nil
}

func optimizerView(page *optimizerPage) view {
	title := "New optimizer"
	if page.Optimizer != nil {
		title = "Optimizer " + page.Name
	}
	return view{Template: "optimizer.html", Title: title, Section: optimizersRoot, Data: page}
}

func (c *Console) showOptimizer(r *request) (view, error) {
	page, err := c.optimizerPage(r)
	if err != nil {
		return view{}, err
	}
	return optimizerView(page), nil
}

// optimizerPage returns the page of the optimizer that the path names.
func (c *Console) optimizerPage(r *request) (*optimizerPage, error) {
	o, err := c.Optimizers.Find(r.Context(), r.account(), mux.Vars(r.Request)["optimizer"])
	if err != nil {
		return nil, err
	}
	page := &optimizerPage{Optimizer: o, Base: optimizerAddress(o.ID), Version: o.Version, FormKey: r.formKey()}
	if page.Fields, err = optimizerFieldsOf(o); err != nil {
		return nil, err
	}
	page.Versions, _, err = c.Solver.Versions(r.Context(), r.account(), o.ID, shownVersions, 0)
	return page, err
}

// saveOptimizer creates an optimizer, or makes the next version of the one that the path
// names, unless another form has made one since this form was read.
func (c *Console) saveOptimizer(r *request) (view, error) {
	fields := postedOptimizer(r)
	ref := mux.Vars(r.Request)["optimizer"]
	next := ""
	definition, err := fields.definition()
	switch {
	case err != nil:
	case ref == "":
		next, err = c.once(r, "create-optimizer", func(ctx context.Context) (string, error) {
			o, err := c.Optimizers.Create(ctx, r.account(), fields.Name, definition)
			if err != nil {
				return "", err
			}
			return optimizerAddress(o.ID), nil
		})
	default:
		err = c.change(r, "patch-optimizer", func(ctx context.Context) error { return c.revise(ctx, r, ref, fields.Name, definition) })
		next = optimizerAddress(ref)
	}
	if err == nil {
		return view{Next: next}, nil
	}
	page := &optimizerPage{Base: optimizersRoot + "/new", FormKey: r.formKey()}
	if ref != "" {
		var missing error
		if page, missing = c.optimizerPage(r); missing != nil {
			return view{}, missing
		}
		page.Version = atoi(r.PostForm.Get("version"))
	}
	page.Fields = fields
	v := optimizerView(page)
	v.Refusal = c.refusalOf(r, err)
	return v, nil
}

// revise makes the next version if the current one is that from which the form started.
func (c *Console) revise(ctx context.Context, r *request, ref, name string, definition optimizer.Definition) error {
	expected, current := atoi(r.PostForm.Get("version")), 0
	_, err := c.Optimizers.Revise(ctx, r.account(), ref, func(o *optimizers.Optimizer) {
		if current = o.Version; current == expected {
			o.Name, o.Definition = name, definition
		}
	})
	if err == nil && current != expected {
		return fault.New(fault.DraftConflict, "The optimizer is at version %d by now, and this form started from version %d. Nothing was stored. Compare the two, then read the page again and repeat your change.", current, expected)
	}
	return err
}

func (c *Console) deleteOptimizer(r *request) (view, error) {
	err := c.change(r, "delete-optimizer", func(ctx context.Context) error {
		_, err := c.Optimizers.Delete(ctx, r.account(), mux.Vars(r.Request)["optimizer"])
		return err
	})
	return view{Next: optimizersRoot}, err
}

// solveOptimizer shows the weights for a universe. Nothing is stored.
func (c *Console) solveOptimizer(r *request) (view, error) {
	page, err := c.optimizerPage(r)
	if err != nil {
		return view{}, err
	}
	page.Universe, page.EndDate = r.text("universe"), r.PostForm.Get("end_date")
	request := optimizers.SolveRequest{EndDate: timeseries.NoDate}
	lines := property{Name: script.UniverseInput, Type: "array"}
	for _, member := range lines.valueOf(page.Universe).([]any) {
		request.Universe = append(request.Universe, member.(string))
	}
	if page.EndDate != "" {
		day, err := dayOf("end_date", page.EndDate)
		if err != nil {
			return view{}, err
		}
		request.EndDate = timeseries.NewDate(day.Year(), day.Month(), day.Day())
	}
	v := optimizerView(page)
	page.Solved, err = c.Solver.Solve(r.Context(), r.account(), page.ID, request)
	if err != nil {
		v.Refusal = c.refusalOf(r, err)
		return v, nil
	}
	for i, symbol := range page.Solved.Universe {
		page.Weights = append(page.Weights, weightRow{symbol, page.Solved.Weights[i]})
	}
	return v, nil
}

// decodeStrictly reads a JSON object that has no other fields.
func decodeStrictly(text string, into any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errTrailing
	}
	return nil
}
