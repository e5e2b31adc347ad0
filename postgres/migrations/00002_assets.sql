-- +goose Up
create table assets (
    id              text collate "C" primary key check (id ~ '^asset_[0-9a-f]{32}$'),
    symbol          text collate "C" not null unique check (symbol <> ''),
    name            text not null check (name <> ''),
    type            text not null check (type in ('', 'etf', 'fund', 'stock', 'crypto')),
    exchange        text not null default '',
    currency        text not null default '',
    country         text not null default '',
    sector          text not null default '',
    industry        text not null default '',
    asset_class     text not null default '',
    wrapper         text not null default '',
    legal_structure text not null default '',
    tax_form        text not null default '',
    tax_evidence    text not null default 'unclassified' check (tax_evidence in ('stated', 'derived', 'unclassified')),
    leverage        double precision not null default 1,
    inverse         boolean not null default false,
    hedged          boolean not null default false,
    issuer          text not null default '',
    tags            text[] not null default '{}',
    market_cap      double precision,
    aum             double precision,
    expense_ratio   double precision,
    inception_date  date,
    delisted        boolean not null default false,
    isin            text not null default '',
    summary         text not null default '',

    -- The name without case and accents, for sorting, and its words, for searching.
    name_folded text collate "C" not null,
    name_words  tsvector not null,

    -- The range of the stored bars at the manifest's latest version.
    first_price_date date,
    last_price_date  date,
    bar_rows         bigint not null default 0,
    weekend_rows     bigint not null default 0,
    seven_day        boolean not null default false,
    convention       text not null default '' check (convention in ('', 'adjusted', 'close_dividend', 'total_return')),
    bars_version     bigint not null default 0,

    check ((first_price_date is null) = (bar_rows = 0)),
    check ((last_price_date is null) = (bar_rows = 0))
);

create index assets_by_type on assets (delisted, type, symbol);
create index assets_by_name on assets (name_folded, symbol);
create index assets_by_word on assets using gin (name_words);

-- +goose Down
drop table assets;
