CREATE MACRO metrics(model := NULL, start_date := NULL, end_date := NULL, benchmark := NULL, risk_free := 0) AS TABLE
WITH sessions AS (
    SELECT r.model_id, r.run_id, r.date, r."return" AS r, r.gross_exposure, r.traded, r.equity, y.bars_per_year AS bars,
        lag(r.equity) OVER days AS equity_before, lag(r.date) OVER days AS date_before
    FROM returns r JOIN _years y ON y.run_id = r.run_id
    WHERE model IS NULL OR r.run_id = _run_of(model)
    WINDOW days AS (PARTITION BY r.run_id ORDER BY r.date)
), days AS (
    SELECT *, first_value(date_before) OVER upward AS base,
        -- After ruin equity is 0 and every return is, so the window's growth is 1.
        CASE WHEN first_value(equity_before) OVER upward > 0 THEN equity / first_value(equity_before) OVER upward ELSE 1 END AS v,
        row_number() OVER upward AS n
    FROM sessions
    WHERE r IS NOT NULL AND (start_date IS NULL OR date >= CAST(start_date AS DATE)) AND (end_date IS NULL OR date <= CAST(end_date AS DATE))
    WINDOW upward AS (PARTITION BY run_id ORDER BY date)
), sums AS (
    SELECT model_id, run_id, any_value(bars) AS bars, any_value(base) AS base, min(date) AS first_date, max(date) AS last_date,
        count(*) AS n, avg(r) AS mean, arg_max(v, date) AS growth,
        (1 + CAST(risk_free AS DOUBLE)) ** (1 / any_value(bars)) - 1 AS f,
        max(r) AS best_day, min(r) AS worst_day, avg(CASE WHEN r > 0 THEN 1.0 ELSE 0.0 END) AS win_rate,
        sum(CASE WHEN r > 0 THEN r ELSE 0 END) AS gains, sum(CASE WHEN r <= 0 THEN -r ELSE 0 END) AS losses,
        quantile_cont(r, 0.05) AS low, quantile_cont(r, 0.95) AS high, sum(traded) AS traded,
        avg(gross_exposure) AS exposure_mean, max(gross_exposure) AS exposure_max,
        avg(CASE WHEN gross_exposure > 0 THEN 1.0 ELSE 0.0 END) AS time_in_market
    FROM days GROUP BY model_id, run_id
), powers AS (
    SELECT d.run_id, sum((d.r - s.mean) ** 2) AS second, sum((d.r - s.mean) ** 3) AS third, sum((d.r - s.mean) ** 4) AS fourth,
        sum(least(d.r - s.f, 0) ** 2) AS below
    FROM days d JOIN sums s ON s.run_id = d.run_id GROUP BY d.run_id
), tails AS (
    SELECT run_id, avg(r) AS worst
    FROM (SELECT d.run_id, d.r, s.n, row_number() OVER (PARTITION BY d.run_id ORDER BY d.r) AS k FROM days d JOIN sums s ON s.run_id = d.run_id)
    WHERE k <= CAST(floor(0.05 * (n - 1)) AS BIGINT) + 1 GROUP BY run_id
), curve AS (
    SELECT run_id, base AS date, 0 AS n, 1.0::DOUBLE AS v FROM sums
    UNION ALL SELECT run_id, date, n, v FROM days
), heights AS (
    SELECT *, max(v) OVER (PARTITION BY run_id ORDER BY n) AS top FROM curve
), depths AS (
    -- A value within rounding error of the high counts as a return to it.
    SELECT *, CASE WHEN v < top * (1 - 1e-12) THEN v / top - 1 ELSE 0 END AS depth,
        sum(CASE WHEN v < top * (1 - 1e-12) THEN 0 ELSE 1 END) OVER (PARTITION BY run_id ORDER BY n) AS spell
    FROM heights
), spells AS (
    SELECT run_id, spell, min(date) AS peak FROM depths GROUP BY run_id, spell
), deepest AS (
    SELECT d.run_id, d.depth, d.spell, s.peak, min(d.date) AS valley, r.peak AS recovery
    FROM (SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY depth, n) AS k FROM depths WHERE depth < 0) d
    JOIN spells s ON s.run_id = d.run_id AND s.spell = d.spell LEFT JOIN spells r ON r.run_id = d.run_id AND r.spell = d.spell + 1
    WHERE k = 1 GROUP BY ALL
), pains AS (
    SELECT run_id, sqrt(sum(depth ** 2) / max(n)) AS ulcer FROM depths WHERE n > 0 GROUP BY run_id
), months AS (
    SELECT run_id, date_trunc('month', date) AS month, product(1 + r) AS growth FROM days GROUP BY ALL
), years AS (
    SELECT run_id, year(month) AS year, product(growth) AS growth FROM months GROUP BY ALL
), periods AS (
    SELECT m.run_id, max(m.growth) - 1 AS best_month, min(m.growth) - 1 AS worst_month,
        avg(CASE WHEN m.growth - 1 > 1e-12 THEN 1.0 ELSE 0.0 END) AS positive_months,
        any_value(y.best_year) AS best_year, any_value(y.worst_year) AS worst_year
    FROM months m JOIN (SELECT run_id, max(growth) - 1 AS best_year, min(growth) - 1 AS worst_year FROM years GROUP BY run_id) y ON y.run_id = m.run_id
    GROUP BY m.run_id
), rolls AS (
    SELECT run_id,
        min(one) AS one_least, median(one) AS one_median, max(one) AS one_most,
        min(three) AS three_least, median(three) AS three_median, max(three) AS three_most,
        min(five) AS five_least, median(five) AS five_median, max(five) AS five_most
    FROM (
        -- Windows that begin after ruin have no return.
        SELECT c.run_id, c.v / nullif(lag(c.v, s.bars) OVER sessions, 0) - 1 AS one,
            (c.v / nullif(lag(c.v, 3 * s.bars) OVER sessions, 0)) ** (1 / 3) - 1 AS three,
            (c.v / nullif(lag(c.v, 5 * s.bars) OVER sessions, 0)) ** (1 / 5) - 1 AS five
        FROM curve c JOIN sums s ON s.run_id = c.run_id WINDOW sessions AS (PARTITION BY c.run_id ORDER BY c.n)
    ) GROUP BY run_id
), figures AS (
    SELECT s.*, p.second, p.third, p.fourth, t.worst, q.ulcer, e.* EXCLUDE (run_id), m.* EXCLUDE (run_id), o.* EXCLUDE (run_id),
        s.last_date - s.base AS length, (s.last_date - s.base) / 365.25 AS years,
        s.growth ** (365.25 / (s.last_date - s.base)) - 1 AS cagr,
        CASE WHEN s.n > 1 THEN CASE WHEN sqrt(p.second / (s.n - 1)) <= 1e-14 * (1 + abs(s.mean)) THEN 0 ELSE sqrt(p.second / (s.n - 1)) END END AS deviation,
        CASE WHEN s.n > 1 AND sqrt(p.below / s.n) > 1e-14 THEN sqrt(p.below / s.n) END AS downside
    FROM sums s JOIN powers p ON p.run_id = s.run_id JOIN tails t ON t.run_id = s.run_id JOIN pains q ON q.run_id = s.run_id
    JOIN periods m ON m.run_id = s.run_id JOIN rolls o ON o.run_id = s.run_id LEFT JOIN deepest e ON e.run_id = s.run_id
), shapes AS (
    SELECT *, (mean - f) / nullif(deviation, 0) AS ratio,
        CASE WHEN n > 2 AND deviation > 0 THEN sqrt(n * (n - 1.0)) / (n - 2) * (third / n) / (second / n) ** 1.5 END AS skewness,
        CASE WHEN n > 3 AND deviation > 0 THEN (n - 1.0) / ((n - 2.0) * (n - 3)) * ((n + 1) * ((fourth / n) / (second / n) ** 2 - 3) + 6) END AS kurtosis
    FROM figures
), scores AS (
    SELECT *, 1 - skewness * ratio + (kurtosis + 2) / 4 * ratio ** 2 AS spread,
        CASE WHEN spread > 0 THEN ratio * sqrt(n - 1) / sqrt(spread) END AS score
    FROM shapes
), series AS (
    -- What the benchmark may mean; it has to be one of them.
    SELECT run_id AS meaning, date, "return" AS r FROM returns
    WHERE benchmark IS NOT NULL AND benchmark NOT LIKE 'asset:%' AND run_id IN (
        SELECT v.run_id FROM _visible v JOIN models m ON m.run_id = v.run_id
        WHERE regexp_replace(benchmark, '^model:', '') IN (m.model_id, m.slug) OR m.symbol = upper(regexp_replace(benchmark, '^model:', '')))
    UNION ALL
    SELECT asset_id, date, total_return FROM bars
    WHERE benchmark IS NOT NULL AND benchmark NOT LIKE 'model:%'
        AND (asset_id = regexp_replace(benchmark, '^asset:', '') OR symbol = upper(regexp_replace(benchmark, '^asset:', '')))
), meant AS (
    SELECT CASE
        WHEN benchmark IS NULL OR count(DISTINCT meaning) = 1 THEN true
        WHEN count(DISTINCT meaning) = 0 THEN error('There is no asset with bars and no model with a result that is called ' || benchmark || '.')
        ELSE error('The benchmark ' || benchmark || ' could be several assets or models. Write asset:SYMBOL or model:SYMBOL, or give the id of one.')
    END AS one
    FROM series
), against AS (
    SELECT date, product(1 + coalesce(r, 0)) OVER (ORDER BY date) AS b FROM series
), beside AS (
    -- A benchmark that was ruined has returns of 0 from then on.
    SELECT d.run_id, d.date, d.date_before, d.r, d.bars, CASE WHEN w.b > 0 THEN x.b / w.b - 1 ELSE 0 END AS b, x.date > d.date_before AS moved
    FROM days d ASOF JOIN against x ON d.date >= x.date ASOF JOIN against w ON d.date_before >= w.date
    WHERE d.date <= (SELECT max(date) FROM against)
), sides AS (
    SELECT run_id, any_value(bars) AS bars, count(*) AS n, avg(r) AS r, avg(b) AS b, covar_pop(r, b) AS xy, var_pop(b) AS xx, var_pop(r) AS yy,
        avg(r - b) AS active, stddev_samp(r - b) AS deviation, product(1 + r) AS ours, product(1 + b) AS theirs, max(date) - min(date_before) AS length
    FROM beside GROUP BY run_id HAVING bool_or(moved)
), fits AS (
    -- A deviation that is only rounding counts as none.
    SELECT *, CASE WHEN deviation <= 1e-14 * (1 + abs(active)) THEN 0 ELSE deviation END AS error,
        CASE WHEN n > 1 AND sqrt(xx) > 1e-14 * (1 + abs(b)) THEN xy / xx END AS beta,
        CASE WHEN n > 1 AND sqrt(xx) > 1e-14 * (1 + abs(b)) AND sqrt(yy) > 1e-14 * (1 + abs(r))
            THEN greatest(-1, least(1, xy / (sqrt(xx) * sqrt(yy)))) END AS correlation
    FROM sides
), captures AS (
    -- Months in which the benchmark was flat, up to rounding, count for neither side.
    SELECT run_id, count(*) FILTER (theirs - 1 > 1e-12) AS ups, count(*) FILTER (1 - theirs > 1e-12) AS downs,
        product(ours) FILTER (theirs - 1 > 1e-12) AS ours_up, product(theirs) FILTER (theirs - 1 > 1e-12) AS theirs_up,
        product(ours) FILTER (1 - theirs > 1e-12) AS ours_down, product(theirs) FILTER (1 - theirs > 1e-12) AS theirs_down
    FROM (SELECT run_id, product(1 + r) AS ours, product(1 + b) AS theirs FROM beside GROUP BY run_id, date_trunc('month', date)) GROUP BY run_id
)
SELECT g.model_id, g.run_id, g.first_date AS start_date, g.last_date AS end_date, g.n AS sessions, g.years,
    g.growth - 1 AS total_return, g.cagr,
    g.deviation * sqrt(g.bars) AS annual_volatility,
    g.ratio * sqrt(g.bars) AS sharpe,
    (g.mean - g.f) / g.downside * sqrt(g.bars) AS sortino,
    _normal_cdf(g.score) AS probabilistic_sharpe,
    CASE WHEN g.n > 1 THEN g.cagr / abs(nullif(coalesce(g.depth, 0), 0)) END AS calmar,
    CASE WHEN g.n > 1 THEN g.gains / nullif(g.losses, 0) END AS omega,
    CASE WHEN g.n > 1 THEN abs(g.high / nullif(g.low, 0)) END AS tail_ratio,
    coalesce(g.depth, 0) AS max_drawdown, g.peak AS max_drawdown_peak, g.valley AS max_drawdown_valley, g.recovery AS max_drawdown_recovery,
    coalesce(g.recovery, g.last_date) - g.peak AS max_drawdown_days,
    g.ulcer AS ulcer_index,
    CASE WHEN g.n > 1 THEN (g.cagr - CAST(risk_free AS DOUBLE)) / nullif(g.ulcer, 0) END AS ulcer_performance_index,
    CASE WHEN g.n > 1 THEN g.low END AS value_at_risk_5, CASE WHEN g.n > 1 THEN g.worst END AS conditional_value_at_risk_5,
    g.skewness, g.kurtosis AS excess_kurtosis,
    g.win_rate, g.best_day, g.worst_day, g.best_month, g.worst_month, g.best_year, g.worst_year, g.positive_months,
    g.one_least AS rolling_one_year_min, g.one_median AS rolling_one_year_median, g.one_most AS rolling_one_year_max,
    g.three_least AS rolling_three_year_min, g.three_median AS rolling_three_year_median, g.three_most AS rolling_three_year_max,
    g.five_least AS rolling_five_year_min, g.five_median AS rolling_five_year_median, g.five_most AS rolling_five_year_max,
    g.traded / 2 / g.years AS turnover, g.exposure_mean AS gross_exposure_mean, g.exposure_max AS gross_exposure_max, g.time_in_market,
    x.beta, (x.r - g.f - x.beta * (x.b - g.f)) * x.bars AS alpha, x.correlation, x.correlation ** 2 AS r_squared,
    x.error * sqrt(x.bars) AS tracking_error, x.active / nullif(x.error, 0) * sqrt(x.bars) AS information_ratio,
    (c.ours_up ** (12 / c.ups) - 1) / nullif(c.theirs_up ** (12 / c.ups) - 1, 0) AS up_capture,
    (c.ours_down ** (12 / c.downs) - 1) / nullif(c.theirs_down ** (12 / c.downs) - 1, 0) AS down_capture,
    x.ours ** (365.25 / x.length) - x.theirs ** (365.25 / x.length) AS active_return
FROM scores g CROSS JOIN meant LEFT JOIN fits x ON x.run_id = g.run_id LEFT JOIN captures c ON c.run_id = x.run_id
WHERE meant.one
