CREATE MACRO _run_of(wanted) AS (
    SELECT CASE
        WHEN count(*) = 1 THEN any_value(v.run_id)
        WHEN wanted IS NULL THEN NULL
        WHEN count(*) = 0 THEN error('There is no model or run ' || wanted || ' with a result in the tables.')
        ELSE error('Several models are called ' || wanted || '; give the id of one.')
    END
    FROM _visible v LEFT JOIN models m ON m.run_id = v.run_id
    WHERE v.run_id = wanted OR m.model_id = wanted OR m.slug = wanted OR m.symbol = upper(wanted)
)
