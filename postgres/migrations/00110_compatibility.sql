-- +goose Up
-- Programs of two successive releases run side by side during an upgrade. This function
-- says which programs the schema suits: those that know the migration of this number.
-- A migration that earlier programs do not survive creates the function again with its
-- own number. It is a function and not a row, so that a restored backup has it as well.
create function oldest_program() returns bigint language sql immutable as 'select 110::bigint';

-- +goose Down
drop function oldest_program();
