package postgres

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// modelList is a list's filter and order as SQL. Conditions are on programs, named p,
// and on the figures of the live runs, named f. A list joins the two tables only if it
// needs both, since comparing ten thousand ids takes longer than all the rest. Column
// names come from a fixed list, never from the caller.
type modelList struct {
	onPrograms, onFigures []string
	figure                string // figure to sort by; "" sorts by order
	order                 string
	args                  pgx.NamedArgs
}

func listOf(accountID string, f program.ModelFilter) (*modelList, error) {
	kind := f.Kind
	if kind == "" {
		kind = program.KindModel
	}
	p, c := conditions{args: pgx.NamedArgs{"account": accountID, "kind": kind}}, conditions{args: pgx.NamedArgs{}}
	if f.Status != "" {
		p.add("p.status = @status", "status", string(f.Status))
	}
	if f.Favorite != nil {
		p.add("coalesce(p.is_favorite, false) = @favorite", "favorite", *f.Favorite)
	}
	if len(f.Labels) > 0 {
		labels := make([]string, len(f.Labels))
		for i, l := range f.Labels {
			labels[i] = strings.ToLower(l)
		}
		p.add("p.labels_lower && @labels::text[]", "labels", labels)
	}
	for i, b := range f.Bounds {
		if !slices.Contains(metrics.FigureNames, b.Figure) {
			return nil, noFigure(b.Figure)
		}
		if b.Least != nil {
			name := fmt.Sprintf("least%d", i)
			c.add(fmt.Sprintf("f.%s >= @%s::double precision", b.Figure, name), name, *b.Least)
		}
		if b.Most != nil {
			name := fmt.Sprintf("most%d", i)
			c.add(fmt.Sprintf("f.%s <= @%s::double precision", b.Figure, name), name, *b.Most)
		}
	}
	if f.Since != nil {
		c.add("f.start_date <= @since", "since", toDate(*f.Since))
	}
	maps.Copy(p.args, c.args)
	l := &modelList{onPrograms: p.list, onFigures: c.list, args: p.args}
	direction := map[bool]string{false: "asc", true: "desc"}[f.Sort.Descending]
	switch by := f.Sort.By; {
	case by == "":
		l.order = "p.created_at desc, p.id desc"
	case by == program.SortCreated:
		l.order = fmt.Sprintf("p.created_at %s, p.id %s", direction, direction)
	case by == program.SortName:
		l.order = fmt.Sprintf("lower(p.name) %s, p.created_at desc, p.id desc", direction)
	case kind == program.KindModel && slices.Contains(metrics.FigureNames, by):
		l.figure, l.order = by, fmt.Sprintf("figure %s nulls last, created_at desc, id desc", direction)
	default:
		return nil, noFigure(by)
	}
	return l, nil
}

const (
	programsListed = "p.account_id = @account and p.kind = @kind and p.deleted_at is null"
	figuresListed  = "f.account_id = @account and f.live"
)

// rows returns the FROM and WHERE clauses of the list: on p, on f if only figures are
// needed, or on both.
func (l *modelList) rows(programs, figures bool) string {
	programs, figures = programs || len(l.onPrograms) > 0, figures || len(l.onFigures) > 0
	var from string
	var where []string
	switch {
	case programs && figures:
		from, where = "figures f join programs p on p.id = f.program_id", []string{figuresListed, programsListed}
	case figures:
		from, where = "figures f", []string{figuresListed}
	default:
		from, where = "programs p", []string{programsListed}
	}
	return " from " + from + " where " + strings.Join(slices.Concat(where, l.onPrograms, l.onFigures), " and ")
}

// count returns the query that counts the list.
func (l *modelList) count() string { return "select count(*)" + l.rows(false, false) }

// page returns the query for the ids of one page: @most rows after @skip.
func (l *modelList) page() string {
	const page = " limit @most offset @skip"
	if l.figure == "" {
		return "select p.id" + l.rows(true, false) + " order by " + l.order + page
	}
	query := "select f.program_id as id, f." + l.figure + "::double precision as figure, f.created_at" + l.rows(false, true)
	if len(l.onFigures) == 0 { // models without a result come last
		query += " union all select p.id, null, p.created_at" + l.rows(true, false) + " and p.live_run_id is null"
	}
	return "select id from (" + query + ") listed order by " + l.order + page
}

func noFigure(name string) error {
	return fault.New(fault.InvalidParameter, "There is no figure %q.", name).With(fault.Detail{Field: "sort", Message: "is not known", Accepted: metrics.FigureNames})
}

// Models lists an account's models.
func (db *DB) Models(ctx context.Context, accountID string, f program.ModelFilter) ([]*program.Sheet, int, error) {
	l, err := listOf(accountID, f)
	if err != nil {
		return nil, 0, err
	}
	var out []*program.Sheet
	var total int64
	err = db.readTx(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := tx.QueryRow(ctx, l.count(), l.args).Scan(&total); err != nil {
			return err
		}
		l.args["most"], l.args["skip"] = int32(f.Limit), skip(f.Offset)
		found, err := tx.Query(ctx, l.page(), l.args)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(found, pgx.RowTo[string])
		if err != nil {
			return err
		}
		rows, err := q.ProgramsByID(ctx, ids)
		if err != nil {
			return err
		}
		place := make(map[string]int, len(ids))
		for i, id := range ids {
			place[id] = i
		}
		slices.SortFunc(rows, func(a, b dbsqlc.WholeProgram) int { return place[a.ID] - place[b.ID] })
		if out, err = sheets(ctx, q, rows); err != nil || !f.Figures {
			return err
		}
		return addFigures(ctx, tx, out)
	})
	return out, int(total), wrap(err, "list models of %s", accountID)
}

// addFigures adds the figures of the live runs to sheets.
func addFigures(ctx context.Context, tx pgx.Tx, sheets []*program.Sheet) error {
	runIDs := make([]string, len(sheets))
	for i, m := range sheets {
		runIDs[i] = m.LiveRunID
	}
	found, err := figuresByRun(ctx, tx, runIDs)
	if err != nil {
		return err
	}
	for _, m := range sheets {
		m.Figures = found[m.LiveRunID]
	}
	return nil
}

// ModelGroups counts an account's models by label.
func (db *DB) ModelGroups(ctx context.Context, accountID string, f program.ModelFilter, figures []string) ([]program.ModelGroup, error) {
	l, err := listOf(accountID, f)
	if err != nil {
		return nil, err
	}
	from := "programs p left join figures f on f.program_id = p.id and " + figuresListed
	where := strings.Join(slices.Concat([]string{programsListed}, l.onPrograms, l.onFigures), " and ")
	columns := []string{"coalesce(min(l.label), '')", "count(*)"}
	for _, name := range figures {
		if !slices.Contains(metrics.FigureNames, name) {
			return nil, noFigure(name)
		}
		columns = append(columns, fmt.Sprintf("array[min(f.%s)::float8, percentile_cont(0.5) within group (order by f.%s), max(f.%s)::float8]", name, name, name))
	}
	l.args["most"] = int32(program.MostGroups)
	rows, err := db.pool.Query(ctx, "select "+strings.Join(columns, ", ")+" from "+from+
		" left join lateral unnest(p.labels, p.labels_lower) l (label, lower) on true where "+where+
		" group by l.lower order by count(*) desc, l.lower nulls last limit @most", l.args)
	if err != nil {
		return nil, wrap(err, "group the models of %s", accountID)
	}
	groups, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (g program.ModelGroup, err error) {
		spreads := make([][]*float64, len(figures))
		into := []any{&g.Label, &g.Models}
		for i := range spreads {
			into = append(into, &spreads[i])
		}
		if err := row.Scan(into...); err != nil {
			return g, err
		}
		for _, s := range spreads {
			g.Figures = append(g.Figures, program.FigureSpread{Lowest: numberOrNaN(s[0]), Median: numberOrNaN(s[1]), Highest: numberOrNaN(s[2])})
		}
		return g, nil
	})
	return groups, wrap(err, "group the models of %s", accountID)
}

// numberOrNaN returns NaN for null.
func numberOrNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
