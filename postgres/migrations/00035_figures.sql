-- +goose Up
-- The plain numbers of results, by which lists are sorted and filtered: the metrics block
-- of a model's complete run over its whole history. They can be computed from the result
-- again at any time.
create table figures (
    run_id     text primary key references runs on delete cascade,
    program_id text not null references models on delete cascade,
    account_id text not null,
    live       boolean not null, -- the model serves the run, and is not in the Trash
    version    integer not null, -- of the formulas; 0 if nothing has been computed yet
    created_at timestamptz not null, -- of the model, so that lists need no other table for their order

    start_date date, -- first date with a return; null without returns
    end_date   date,
    max_drawdown_peak     date,
    max_drawdown_valley   date,
    max_drawdown_recovery date,

    sessions                    integer,
    years                       double precision,
    total_return                double precision,
    cagr                        double precision,
    annual_volatility           double precision,
    sharpe                      double precision,
    sortino                     double precision,
    probabilistic_sharpe        double precision,
    calmar                      double precision,
    omega                       double precision,
    tail_ratio                  double precision,
    max_drawdown                double precision,
    max_drawdown_days           integer,
    ulcer_index                 double precision,
    ulcer_performance_index     double precision,
    value_at_risk_5             double precision,
    conditional_value_at_risk_5 double precision,
    skewness                    double precision,
    excess_kurtosis             double precision,
    win_rate                    double precision,
    best_day                    double precision,
    worst_day                   double precision,
    best_month                  double precision,
    worst_month                 double precision,
    best_year                   double precision,
    worst_year                  double precision,
    positive_months             double precision,
    rolling_one_year_min        double precision,
    rolling_one_year_median     double precision,
    rolling_one_year_max        double precision,
    rolling_three_year_min      double precision,
    rolling_three_year_median   double precision,
    rolling_three_year_max      double precision,
    rolling_five_year_min       double precision,
    rolling_five_year_median    double precision,
    rolling_five_year_max       double precision,
    turnover                    double precision,
    gross_exposure_mean         double precision,
    gross_exposure_max          double precision,
    time_in_market              double precision
);
-- Every live run has a row, so that lists miss no model; a job computes the figures.
insert into figures (run_id, program_id, account_id, live, version, created_at)
select r.id, p.id, p.account_id, p.deleted_at is null, 0, p.created_at
from programs p join models m on m.id = p.id join runs r on r.id = p.live_run_id;

create index figures_live on figures (account_id) where live;
create index figures_by_program on figures (program_id);

-- Lists are counted and sorted by figures with this index alone.
create index programs_listed on programs (account_id, kind, created_at desc, id desc) where deleted_at is null;

-- +goose Down
drop index programs_listed;
drop table figures;
