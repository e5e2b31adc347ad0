package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/jackc/pgx/v5"

	"ballast/program"
	"ballast/query"
	"ballast/script/sandbox"
)

var _ query.Store = (*DB)(nil)

// queryResults selects the visible runs, and the runs that these have read.
const queryResults = `
with recursive visible as (
    select p.live_run_id as id from programs p
    where p.kind = 'model' and p.deleted_at is null and p.live_run_id is not null and (@all or p.account_id = @account)
    union
    select r.id from runs r join programs p on p.id = r.program_id
    where r.id = any(@runs::text[]) and r.status = 'complete' and p.kind = 'model' and p.deleted_at is null and (@all or r.account_id = @account)
), needed as (
    select id from visible
    union
    select m.value ->> 'run_id' from needed n join runs r on r.id = n.id,
        jsonb_array_elements(case when jsonb_typeof(r.members) = 'array' then r.members else '[]' end) m
    where m.value ->> 'run_id' <> ''
)
select r.id, r.program_id, r.account_id, r.tables, r.members, coalesce((r.summary -> 'alignment' ->> 'bars_per_year')::bigint, @bars),
    exists (select from visible v where v.id = r.id)
from needed n join runs r on r.id = n.id
where r.status = 'complete' and (@all or r.account_id = @account)
order by r.program_id, r.id`

// QueryResults returns the runs that a statement may need.
func (db *DB) QueryResults(ctx context.Context, scope query.Scope, runIDs []string) ([]query.Result, error) {
	rows, err := db.pool.Query(ctx, queryResults, pgx.NamedArgs{
		"all": scope.All, "account": scope.AccountID, "runs": listOrEmpty(runIDs), "bars": metricsBars,
	})
	if err != nil {
		return nil, wrap(err, "read the results of account %s", scope.AccountID)
	}
	results, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (query.Result, error) {
		var (
			r               query.Result
			tables, members []byte
			stored          program.Tables
		)
		if err := row.Scan(&r.ID, &r.ModelID, &r.AccountID, &tables, &members, &r.BarsPerYear, &r.Visible); err != nil {
			return r, err
		}
		err := json.Unmarshal(tables, &stored)
		if members != nil {
			err = errors.Join(err, json.Unmarshal(members, &r.Members))
		}
		r.Daily, r.Ledger = stored[sandbox.DailyTable].Key, stored[sandbox.LedgerTable].Key
		return r, err
	})
	return results, wrap(err, "read the results of account %s", scope.AccountID)
}

// queryAnswers selects the visible runs of simulations and analyses.
const queryAnswers = `
select r.id, r.program_id, p.kind, r.tables, coalesce(r.summary -> 'drawn' ->> 'method', '') = 'history'
from runs r join programs p on p.id = r.program_id
where p.kind in ('simulation', 'analysis') and p.deleted_at is null and r.status = 'complete' and (@all or r.account_id = @account)
    and (r.id = p.live_run_id or r.id = any(@runs::text[]))
order by r.program_id, r.id`

// QueryAnswers returns the runs of simulations and analyses that a statement may need.
func (db *DB) QueryAnswers(ctx context.Context, scope query.Scope, runIDs []string) ([]query.AnswerRun, error) {
	rows, err := db.pool.Query(ctx, queryAnswers, pgx.NamedArgs{"all": scope.All, "account": scope.AccountID, "runs": listOrEmpty(runIDs)})
	if err != nil {
		return nil, wrap(err, "read the simulations of account %s", scope.AccountID)
	}
	runs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (query.AnswerRun, error) {
		var r query.AnswerRun
		var tables []byte
		if err := row.Scan(&r.ID, &r.ProgramID, &r.Kind, &tables, &r.Replays); err != nil {
			return r, err
		}
		return r, json.Unmarshal(tables, &r.Tables)
	})
	return runs, wrap(err, "read the simulations of account %s", scope.AccountID)
}

// metricsBars is the number of bars per year for results that do not state it.
const metricsBars = 252

// ofScope restricts rows to the account of the scope.
const ofScope = "(@all or %s.account_id = @account)"

// answersOf selects the programs of a kind other than models.
func answersOf(kind string) string {
	return `select p.id, nullif(p.symbol, ''), p.name, p.slug, p.status, p.is_public, p.labels, p.live_run_id,
		(r.summary -> 'drawn' ->> 'first')::date, (r.summary -> 'drawn' ->> 'last')::date, p.created_at, p.updated_at
		from programs p left join runs r on r.id = p.live_run_id
		where p.kind = '` + kind + `' and p.deleted_at is null and ` + fmt.Sprintf(ofScope, "p") + ` order by p.id`
}

// scalarsOf selects the scalars of their runs.
func scalarsOf(kind string) string {
	return `select r.program_id, r.id, s.value ->> 'name', (s.value ->> 'value')::double precision, nullif(s.value ->> 'unit', ''), nullif(s.value ->> 'title', '')
		from runs r join programs p on p.id = r.program_id,
			jsonb_array_elements(case when jsonb_typeof(r.summary -> 'scalars') = 'array' then r.summary -> 'scalars' else '[]' end) with ordinality s
		where p.kind = '` + kind + `' and p.deleted_at is null and r.status = 'complete' and ` + fmt.Sprintf(ofScope, "r") + ` order by r.id, s.ordinality`
}

// queryRows are the SELECTs for the tables that are stored as rows. Their columns are
// in the order of the table's schema.
var queryRows = map[*query.Table]string{
	query.Models: `select p.id, p.symbol, p.name, p.slug, p.status, p.is_public, p.labels, p.live_run_id, r.base, r.first_date, r.last_date, p.created_at, p.updated_at
		from programs p left join runs r on r.id = p.live_run_id
		where p.kind = 'model' and p.deleted_at is null and ` + fmt.Sprintf(ofScope, "p") + ` order by p.id`,
	query.Runs: `select r.id, r.program_id, r.status, p.live_run_id is not distinct from r.id, r.source, nullif(r.intent, ''), nullif(r.label, ''), r.inputs::text,
		r.script_hash, nullif(r.data_version, ''), nullif(r.result_hash, ''), (r.summary -> 'alignment' ->> 'bars_per_year')::bigint, r.base, r.first_date, r.last_date,
		r.superseded, r.failure ->> 'type', r.failure ->> 'message', r.created_at, r.started_at, r.finished_at
		from runs r join programs p on p.id = r.program_id
		where p.kind = 'model' and p.deleted_at is null and ` + fmt.Sprintf(ofScope, "r") + ` order by r.id`,
	query.Members: `select r.program_id, r.id, m.value ->> 'key', m.value ->> 'kind', m.value ->> 'id', m.value ->> 'symbol', m.value ->> 'name', nullif(m.value ->> 'run_id', '')
		from runs r join programs p on p.id = r.program_id,
			jsonb_array_elements(case when jsonb_typeof(r.members) = 'array' then r.members else '[]' end) with ordinality m
		where p.kind = 'model' and p.deleted_at is null and ` + fmt.Sprintf(ofScope, "r") + ` order by r.id, m.ordinality`,
	query.Metrics: `select f.program_id, f.run_id, f.start_date, f.end_date, f.sessions::bigint, f.years, f.total_return, f.cagr, f.annual_volatility, f.sharpe, f.sortino,
		f.probabilistic_sharpe, f.calmar, f.omega, f.tail_ratio, f.max_drawdown, f.max_drawdown_peak, f.max_drawdown_valley, f.max_drawdown_recovery,
		f.max_drawdown_days::bigint, f.ulcer_index, f.ulcer_performance_index, f.value_at_risk_5, f.conditional_value_at_risk_5, f.skewness, f.excess_kurtosis,
		f.win_rate, f.best_day, f.worst_day, f.best_month, f.worst_month, f.best_year, f.worst_year, f.positive_months,
		f.rolling_one_year_min, f.rolling_one_year_median, f.rolling_one_year_max, f.rolling_three_year_min, f.rolling_three_year_median,
		f.rolling_three_year_max, f.rolling_five_year_min, f.rolling_five_year_median, f.rolling_five_year_max,
		f.turnover, f.gross_exposure_mean, f.gross_exposure_max, f.time_in_market
		from figures f join programs p on p.id = f.program_id
		where p.deleted_at is null and ` + fmt.Sprintf(ofScope, "f") + ` order by f.program_id, f.run_id`,
	query.Simulations:     answersOf("simulation"),
	query.Scalars:         scalarsOf("simulation"),
	query.Analyses:        answersOf("analysis"),
	query.AnalysisScalars: scalarsOf("analysis"),
	query.Optimizers: `select o.id, o.name, v.version::bigint, v.version = o.version, v.definition ->> 'objective', v.definition::text, v.created_at
		from optimizers o join optimizer_versions v on v.optimizer_id = o.id
		where o.deleted_at is null and ` + fmt.Sprintf(ofScope, "o") + ` order by upper(o.name), o.id, v.version`,
	query.OptimizerUses: `select r.program_id, r.id, u.value ->> 'id', u.value ->> 'name', (u.value ->> 'version')::bigint, (u.value ->> 'solves')::bigint,
		(u.value ->> 'fallbacks')::bigint, (u.value ->> 'worst_kkt_residual')::double precision
		from runs r join programs p on p.id = r.program_id,
			jsonb_array_elements(case when jsonb_typeof(r.summary -> 'optimizers') = 'array' then r.summary -> 'optimizers' else '[]' end) with ordinality u
		where p.kind = 'model' and p.deleted_at is null and r.status = 'complete' and ` + fmt.Sprintf(ofScope, "r") + ` order by r.id, u.ordinality`,
	query.Assets: `select id, symbol, name, nullif(type, ''), nullif(exchange, ''), nullif(currency, ''), nullif(country, ''), nullif(domicile, ''), nullif(sector, ''),
		nullif(industry, ''), nullif(asset_class, ''), nullif(issuer, ''), tags, leverage, inverse, hedged, market_cap, aum, expense_ratio, inception_date,
		first_price_date, last_price_date, delisted from assets order by symbol`,
	query.Backfills: `select b.id, b.asset_id, a.symbol, b.version::bigint, s.ordinality, s.value ->> 'kind', s.value ->> 'id', s.value ->> 'symbol',
		s.value ->> 'method', (s.value ->> 'scale')::double precision, b.created_at, v.created_at
		from backfills b join backfill_versions v on v.backfill_id = b.id and v.version = b.version join assets a on a.id = b.asset_id,
			jsonb_array_elements(v.sources) with ordinality s
		where b.deleted_at is null and ` + fmt.Sprintf(ofScope, "b") + ` order by a.symbol, s.ordinality`,
	query.Series: `select s.id, s.name, c.value ->> 'key', s.account_id is null, s.version::bigint, v.frequency, v.kind, case when v.kind <> 'index' then 'fraction' end,
		v.lag::bigint, nullif(c.value ->> 'first', '')::date, nullif(c.value ->> 'last', '')::date, (c.value ->> 'values')::bigint, (c.value ->> 'missing')::bigint, s.created_at, v.created_at
		from ` + readableSeries + ` join series_versions v on v.series_id = s.id and v.version = s.version, jsonb_array_elements(v.columns) with ordinality c
		order by upper(s.name), s.id, c.ordinality`,
}

// readableSeries selects, as s, the series that a scope may read. One of the account hides
// the operator's of the same name.
const readableSeries = `(
		select * from series o where o.deleted_at is null and (@all or o.account_id = @account
			or o.account_id is null and not exists (select from series own where own.account_id = @account and own.deleted_at is null and upper(own.name) = upper(o.name)))
		) s`

// QuerySeries returns the series that a statement may read.
func (db *DB) QuerySeries(ctx context.Context, scope query.Scope) ([]query.StoredSeries, error) {
	rows, err := db.pool.Query(ctx, "select s.id, s.name, s.version from "+readableSeries+" order by upper(s.name), s.id", pgx.NamedArgs{"all": scope.All, "account": scope.AccountID})
	if err != nil {
		return nil, wrap(err, "list series")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[query.StoredSeries])
	return list, wrap(err, "list series")
}

// QueryRows returns the rows of a table that a statement may read.
func (db *DB) QueryRows(ctx context.Context, scope query.Scope, t *query.Table) (arrow.RecordBatch, error) {
	statement, ok := queryRows[t]
	if !ok {
		return nil, fmt.Errorf("table %s is not stored as rows", t.Name)
	}
	rows, err := db.pool.Query(ctx, statement, pgx.NamedArgs{"all": scope.All, "account": scope.AccountID})
	if err != nil {
		return nil, wrap(err, "read table %s", t.Name)
	}
	record, err := recordOf(rows, t.Schema())
	return record, wrap(err, "read table %s", t.Name)
}

// QueryBars returns the current segments of bars.
func (db *DB) QueryBars(ctx context.Context) (arrow.RecordBatch, error) {
	rows, err := db.pool.Query(ctx, "select asset_id, object from bar_segments where removed_in is null order by object, asset_id")
	if err != nil {
		return nil, wrap(err, "read the manifest of bars")
	}
	text := arrow.BinaryTypes.String
	record, err := recordOf(rows, arrow.NewSchema([]arrow.Field{{Name: "asset_id", Type: text}, {Name: "object", Type: text}}, nil))
	return record, wrap(err, "read the manifest of bars")
}

// recordOf reads rows whose columns match a schema, in its order.
func recordOf(rows pgx.Rows, schema *arrow.Schema) (arrow.RecordBatch, error) {
	defer rows.Close()
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return nil, err
		}
		if len(values) != schema.NumFields() {
			return nil, fmt.Errorf("%d columns instead of %d", len(values), schema.NumFields())
		}
		for i, v := range values {
			if err := appendValue(b.Field(i), v); err != nil {
				return nil, fmt.Errorf("column %s: %w", schema.Field(i).Name, err)
			}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return b.NewRecordBatch(), nil
}

func appendValue(b array.Builder, v any) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		if s, ok := v.(string); ok {
			b.Append(s)
			return nil
		}
	case *array.ListBuilder:
		if list, ok := v.([]any); ok {
			b.Append(true)
			for _, item := range list {
				if err := appendValue(b.ValueBuilder(), item); err != nil {
					return err
				}
			}
			return nil
		}
	case *array.BooleanBuilder:
		if x, ok := v.(bool); ok {
			b.Append(x)
			return nil
		}
	case *array.Int64Builder:
		if x, ok := v.(int64); ok {
			b.Append(x)
			return nil
		}
	case *array.Float64Builder:
		if x, ok := v.(float64); ok {
			b.Append(x)
			return nil
		}
	case *array.Date32Builder:
		if x, ok := v.(time.Time); ok {
			b.Append(arrow.Date32FromTime(x))
			return nil
		}
	case *array.TimestampBuilder:
		if x, ok := v.(time.Time); ok {
			b.Append(arrow.Timestamp(x.UnixMicro()))
			return nil
		}
	}
	return fmt.Errorf("a value of type %T in a column of type %s", v, b.Type())
}
