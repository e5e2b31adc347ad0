package embedded

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// prepareDatabase creates the service's role and its database if they are missing, and
// makes the role the owner of a database that the superuser has owned until now. conn is
// the superuser's connection to another database of the cluster.
func prepareDatabase(ctx context.Context, conn *pgx.Conn, superuserDSN string) error {
	owner, err := databaseOwner(ctx, conn)
	if err != nil || owner == Role {
		return err
	}
	if err := makeRole(ctx, conn); err != nil {
		return err
	}
	if owner == "" {
		_, err := conn.Exec(ctx, "create database "+quoted(database)+" owner "+quoted(Role))
		if err != nil {
			return fmt.Errorf("create the database: %w", err)
		}
		return nil
	}
	return handOver(ctx, superuserDSN)
}

// databaseOwner returns the role that owns the database, or "" if there is no database.
func databaseOwner(ctx context.Context, conn *pgx.Conn) (string, error) {
	var owner string
	err := conn.QueryRow(ctx, "select coalesce(max(pg_get_userbyid(datdba)::text), '') from pg_database where datname = $1", database).Scan(&owner)
	if err != nil {
		return "", fmt.Errorf("find the database: %w", err)
	}
	return owner, nil
}

func makeRole(ctx context.Context, conn *pgx.Conn) error {
	var exists bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_roles where rolname = $1)", Role).Scan(&exists); err != nil {
		return fmt.Errorf("find the service's role: %w", err)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "create role "+quoted(Role)+" login nosuperuser nocreatedb nocreaterole noreplication"); err != nil {
		return fmt.Errorf("create the service's role: %w", err)
	}
	return nil
}

// owned lists what the superuser owns in the database besides the system's own objects,
// as statements that make the role ($1) the owner. Indexes, and sequences that belong to
// a column, follow their tables.
const owned = `
	with mine as (
		select oid from pg_namespace
		where nspname not like 'pg\_%' and nspname <> 'information_schema'
	)
	select format('alter schema %s owner to %I', n.oid::regnamespace, $1::text)
	from pg_namespace n join mine on mine.oid = n.oid
	where n.nspowner = (select oid from pg_roles where rolname = current_user)
	union all
	select format('alter %s %s owner to %I',
		case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end, c.oid::regclass, $1::text)
	from pg_class c join mine on mine.oid = c.relnamespace
	where c.relkind in ('r', 'p', 'S', 'v', 'm')
		and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e') and c.relkind = 'S')
	union all
	select format('alter routine %s owner to %I', p.oid::regprocedure, $1::text)
	from pg_proc p join mine on mine.oid = p.pronamespace
	where not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
	union all
	select format('alter type %s owner to %I', t.oid::regtype, $1::text)
	from pg_type t join mine on mine.oid = t.typnamespace
	where t.typtype in ('e', 'd', 'r')
		and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')`

// handOver makes the role the owner of the database and everything in it, in one
// transaction.
func handOver(ctx context.Context, superuserDSN string) error {
	conn, err := pgx.Connect(ctx, superuserDSN)
	if err != nil {
		return fmt.Errorf("make the service's role the owner of the database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, owned, Role)
		if err != nil {
			return err
		}
		statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, s := range append(statements, "alter database "+quoted(database)+" owner to "+quoted(Role)) {
			if _, err := tx.Exec(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("make the service's role the owner of the database: %w", err)
	}
	return nil
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }
