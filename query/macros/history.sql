CREATE MACRO history(model := NULL, start_date := NULL, end_date := NULL) AS TABLE
SELECT model_id, run_id, date, "return",
    -- After ruin equity is 0 and every return is, so the window's growth is 1.
    CASE WHEN base > 0 THEN equity / base ELSE 1 END AS growth,
    CASE WHEN base > 0 THEN equity / greatest(base, max(equity) OVER days) - 1 ELSE 0 END AS drawdown, gross_exposure, traded
FROM (
    SELECT *, first_value(before) OVER (PARTITION BY run_id ORDER BY date) AS base
    FROM (
        SELECT model_id, run_id, date, "return", equity, gross_exposure, traded,
            lag(equity) OVER (PARTITION BY run_id ORDER BY date) AS before
        FROM returns WHERE model IS NULL OR run_id = _run_of(model)
    )
    WHERE "return" IS NOT NULL
        AND (start_date IS NULL OR date >= CAST(start_date AS DATE)) AND (end_date IS NULL OR date <= CAST(end_date AS DATE))
)
WINDOW days AS (PARTITION BY run_id ORDER BY date)
