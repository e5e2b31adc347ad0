-- +goose Up
-- What the entries of a universe meant when the script was accepted: an object from the
-- entry to {kind, id}. For existing builds it is what their runs have read; a build
-- without a complete run gets it from its first.
alter table builds add column entries jsonb;
-- For a run with a universe other than its script's.
alter table runs add column entries jsonb;

update builds b set entries = k.entries
from (
    select x.build_id, jsonb_object_agg(x.key, x.meaning) as entries
    from (
        select distinct on (r.build_id, e ->> 'key') r.build_id, e ->> 'key' as key,
            jsonb_build_object('kind', e ->> 'kind', 'id', e ->> 'id') as meaning
        from runs r cross join lateral jsonb_array_elements(r.members) e
        where r.status = 'complete' and jsonb_typeof(r.members) = 'array'
        order by r.build_id, e ->> 'key', r.publishes desc, r.finished_at desc
    ) x
    group by x.build_id
) k
where k.build_id = b.id;

-- +goose Down
alter table runs drop column entries;
alter table builds drop column entries;
