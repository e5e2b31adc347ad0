-- name: LatestBarVersion :one
select coalesce(max(version), 0)::bigint from bar_versions;

-- name: InsertBarVersion :exec
insert into bar_versions (version, kind, file, sha256, rows, report, at)
values ($1, $2, $3, $4, $5, $6, $7);

-- name: BarAssetsBySymbol :many
select id, symbol, convention, first_price_date, last_price_date, bar_rows, weekend_rows, seven_day, bars_version
from assets where symbol = any(@symbols::text[]);

-- name: BarAssetsByID :many
select id, symbol, convention, first_price_date, last_price_date, bar_rows, weekend_rows, seven_day, bars_version
from assets where id = any(@ids::text[]);

-- name: SegmentsCurrent :many
select * from bar_segments
where asset_id = any(@asset_ids::text[]) and removed_in is null
order by asset_id, first_date;

-- name: SegmentsAt :many
select * from bar_segments
where asset_id = any(@asset_ids::text[]) and added_in <= @version::bigint
    and (removed_in is null or removed_in > @version::bigint)
order by asset_id, first_date;

-- name: InsertBarAssets :execrows
-- A symbol that exists under another id is not changed, and so not counted.
insert into assets (id, symbol, name, type, name_words)
select n.id, n.symbol, n.symbol, '', array_to_tsvector(string_to_array(n.words, ' '))
from (select unnest(@ids::text[]) as id, unnest(@symbols::text[]) as symbol, unnest(@words::text[]) as words) n
on conflict (symbol) do nothing;

-- name: UpdateBarAssets :execrows
update assets a set convention = n.convention, first_price_date = n.first_date, last_price_date = n.last_date,
    bar_rows = n.bar_rows, weekend_rows = n.weekend_rows, seven_day = n.seven_day, bars_version = @version
from (select unnest(@ids::text[]) as id, unnest(@conventions::text[]) as convention,
    unnest(@first_dates::date[]) as first_date, unnest(@last_dates::date[]) as last_date,
    unnest(@bar_rows::bigint[]) as bar_rows, unnest(@weekend_rows::bigint[]) as weekend_rows,
    unnest(@seven_days::boolean[]) as seven_day) n
where a.id = n.id;

-- name: InsertSegments :copyfrom
insert into bar_segments (object, row_group, row_offset, asset_id, rows, first_date, last_date, added_in)
values ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: RemoveSegments :execrows
update bar_segments s set removed_in = @version::bigint
from (select unnest(@objects::text[]) as object, unnest(@row_groups::integer[]) as row_group,
    unnest(@row_offsets::bigint[]) as row_offset) n
where s.object = n.object and s.row_group = n.row_group and s.row_offset = n.row_offset and s.removed_in is null;

-- name: FragmentedAssets :many
select asset_id from bar_segments where removed_in is null
group by asset_id having count(*) >= @segments::bigint
order by count(*) desc, asset_id limit @most;

-- name: BarObjects :many
select distinct object from bar_segments;
