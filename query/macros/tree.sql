CREATE MACRO tree(model := NULL, start_date := NULL, end_date := NULL) AS TABLE
SELECT t.* FROM tree t
SEMI JOIN (SELECT run_id, date FROM returns WHERE "return" IS NOT NULL) d ON d.run_id = t.run_id AND d.date = t.date
WHERE (model IS NULL OR t.run_id = _run_of(model))
    AND (start_date IS NULL OR t.date >= CAST(start_date AS DATE)) AND (end_date IS NULL OR t.date <= CAST(end_date AS DATE))
