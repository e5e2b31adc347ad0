-- +goose Up
-- The source's texts for an asset, from which the classification is derived again when
-- another file adds to them, and the evidence for each field.
alter table assets
    add column category       text not null default '',
    add column category_group text not null default '',
    add column family         text not null default '',
    add column legal_type     text not null default '',
    add column home_country   text not null default '',
    add column evidence       jsonb not null default '[]';

-- Lists are answered from memory. The version increases with each change of records;
-- changes of bars have the versions of the bar store.
create table catalog_state (
    only_row boolean primary key default true check (only_row),
    version  bigint not null default 0
);
insert into catalog_state default values;
create index assets_by_bars on assets (bars_version) where bars_version > 0;

-- Generating a script searches words only among the assets with bars. An index of all
-- names would make the import of a catalog three times as slow.
drop index assets_by_word;
create index assets_by_word on assets using gin (name_words) where bars_version > 0;

drop index assets_by_name;
alter table assets drop column name_folded;

-- +goose Down
drop index assets_by_bars, assets_by_word;
create index assets_by_word on assets using gin (name_words);
drop table catalog_state;
alter table assets
    drop column category, drop column category_group, drop column family, drop column legal_type,
    drop column home_country, drop column evidence,
    add column name_folded text collate "C" not null default '';
create index assets_by_name on assets (name_folded, symbol);
