CREATE MACRO fees(model := NULL, management_fee := 0, financing_rate := 0, commission_bps := 0, slippage_bps := 0, start_date := NULL, end_date := NULL) AS TABLE
SELECT model_id, run_id, date, gross, management, financing, commission, slippage,
    greatest(-1, gross - management - financing - commission - slippage) AS net
FROM (
    SELECT d.model_id, d.run_id, d.date, d.gross,
        CAST(management_fee AS DOUBLE) / r.bars_per_year AS management,
        CAST(financing_rate AS DOUBLE) / r.bars_per_year * greatest(0, d.exposed - 1) AS financing,
        CAST(commission_bps AS DOUBLE) / 10000 * d.notional AS commission,
        CAST(slippage_bps AS DOUBLE) / 10000 * d.notional AS slippage
    FROM (
        SELECT model_id, run_id, date, "return" AS gross, lag(gross_exposure) OVER days AS exposed,
            -- The trade that established the model was filled on the base date, and its
            -- costs fall on the first return.
            traded + CASE WHEN lag("return") OVER days IS NULL THEN lag(traded) OVER days ELSE 0 END AS notional
        FROM returns WHERE model IS NULL OR run_id = _run_of(model)
        WINDOW days AS (PARTITION BY run_id ORDER BY date)
    ) d JOIN _years r ON r.run_id = d.run_id
    WHERE d.gross IS NOT NULL
        AND (start_date IS NULL OR d.date >= CAST(start_date AS DATE)) AND (end_date IS NULL OR d.date <= CAST(end_date AS DATE))
)
