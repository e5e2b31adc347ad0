-- +goose Up
-- The seat of a company used to be in country, which is for the country that a fund's
-- name states.
alter table assets add column domicile text not null default '';

update assets set domicile = country, country = '',
    evidence = (
        select coalesce(jsonb_agg(case when e ->> 'field' = 'country' then e || '{"field": "domicile"}' else e end order by n), '[]')
        from jsonb_array_elements(evidence) with ordinality as x(e, n))
where type = 'stock' and country <> '';

-- Seats in the United States were not stored. If the ISIN, or a symbol that is one, may
-- contradict the source, the next import of the company's row decides.
update assets set domicile = 'united_states',
    evidence = evidence || '[{"field": "domicile", "value": "united_states", "source": "country", "words": "united states"}]'
where type = 'stock' and domicile = '' and lower(btrim(home_country)) = 'united states'
    and (isin like 'US%' or isin = '' and upper(exchange) not in (
        'TOR', 'NEO', 'KSC', 'KOE', 'TAI', 'TWO', 'TLV', 'IST', 'SHH', 'SHZ', 'BSE', 'NSE', 'KLS', 'SET', 'JKT', 'MCE', 'STO',
        'OSL', 'NZE', 'SAO'))
    and symbol !~ '^[A-Z]{2}[A-Z0-9]{9}[0-9]([.]|$)';

-- One spelling of each sector, as in the tags. Unknown words become blank.
update assets set sector = case btrim(regexp_replace(lower(sector), '[^a-z]+', ' ', 'g'))
    when 'information technology' then 'technology'
    when 'technology' then 'technology'
    when 'health care' then 'health_care'
    when 'healthcare' then 'health_care'
    when 'financials' then 'financials'
    when 'financial services' then 'financials'
    when 'financial' then 'financials'
    when 'finance' then 'financials'
    when 'energy' then 'energy'
    when 'materials' then 'materials'
    when 'basic materials' then 'materials'
    when 'industrials' then 'industrials'
    when 'industrial goods' then 'industrials'
    when 'consumer discretionary' then 'consumer_discretionary'
    when 'consumer cyclical' then 'consumer_discretionary'
    when 'consumer cyclicals' then 'consumer_discretionary'
    when 'consumer staples' then 'consumer_staples'
    when 'consumer defensive' then 'consumer_staples'
    when 'consumer non cyclical' then 'consumer_staples'
    when 'consumer non cyclicals' then 'consumer_staples'
    when 'communication services' then 'communication_services'
    when 'communications' then 'communication_services'
    when 'telecommunication services' then 'communication_services'
    when 'telecommunications' then 'communication_services'
    when 'utilities' then 'utilities'
    when 'real estate' then 'real_estate'
    else ''
end
where sector <> '';

update catalog_state set version = version + 1;

-- +goose Down
update assets set country = domicile,
    evidence = (
        select coalesce(jsonb_agg(case when e ->> 'field' = 'domicile' then e || '{"field": "country"}' else e end order by n), '[]')
        from jsonb_array_elements(evidence) with ordinality as x(e, n))
where domicile not in ('', 'united_states');
update assets set evidence = (
        select coalesce(jsonb_agg(e order by n) filter (where e ->> 'field' <> 'domicile'), '[]')
        from jsonb_array_elements(evidence) with ordinality as x(e, n))
where domicile = 'united_states';
alter table assets drop column domicile;
update catalog_state set version = version + 1;
