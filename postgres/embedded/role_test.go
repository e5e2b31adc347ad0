package embedded_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"ballast/internal/sysuser"
	"ballast/postgres/embedded"
)

// SQL that reaches the database cannot run programs, read the server's files or switch to
// another role.
func TestServiceIsNoSuperuser(t *testing.T) {
	t.Parallel()
	s := start(t, privateDir(t))
	if query[bool](t, s.DSN(), "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls from pg_roles where rolname = current_user") {
		t.Error("the service's role has rights beyond its database")
	}
	for _, sql := range []string{
		"copy (select 1) to program 'true'",
		"copy (select 1) to '/tmp/x'",
		"select pg_read_file('/etc/passwd')",
		"set role ballast",
		"set session authorization ballast",
		"alter role ballast_service superuser",
		"create event trigger t on ddl_command_end execute function f()",
		"create language plpython3u",
		"alter system set archive_command = 'true'",
	} {
		conn, err := pgx.Connect(t.Context(), s.DSN())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s: it worked", sql)
		}
		_ = conn.Close(context.Background())
	}
	execute(t, s.DSN(), "create table mine (v int)")
}

// If the superuser owned everything in a cluster, the next start makes the service's role
// the owner of all of it.
func TestFormerClusterIsHandedOver(t *testing.T) {
	t.Parallel()
	dir := privateDir(t)
	first := start(t, dir)
	for _, sql := range []string{
		"alter database ballast owner to ballast",
		"drop owned by ballast_service",
		"drop role ballast_service",
		"create type mood as enum ('calm')",
		"create table kept (id bigint generated always as identity primary key, serial bigserial, mood mood)",
		"create sequence apart",
		"create view seen as select id from kept",
		"create function touch() returns trigger language plpgsql as $$ begin return new; end $$",
		"create trigger touched before update on kept for each row execute function touch()",
		"insert into kept (mood) values ('calm'), ('calm')",
	} {
		execute(t, first.SuperuserDSN(), sql)
	}
	stop(t, first)

	for range 2 { // the second start has nothing to do
		s := start(t, dir)
		if n := query[int](t, s.DSN(), "select count(*)::int from kept"); n != 2 {
			t.Errorf("%d rows are kept", n)
		}
		if left := query[string](t, s.DSN(), "select coalesce(string_agg(oid::regclass::text, ' '), '') from pg_class where relowner <> current_user::regrole and relnamespace = 'public'::regnamespace"); left != "" {
			t.Errorf("not handed over: %s", left)
		}
		for _, sql := range []string{
			"begin; alter table kept add column more text; insert into kept (mood) values ('calm'); rollback",
			"begin; drop trigger touched on kept; drop function touch; drop view seen; drop sequence apart; rollback",
			"begin; alter type mood add value 'merry'; rollback",
			"create table new (v int)", "drop table new",
		} {
			execute(t, s.DSN(), sql)
		}
		stop(t, s)
	}
}

// The data folder must not belong to the user that runs scripts.
func TestSandboxUserMayNotRunTheDatabase(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root, who alone can give folders away")
	}
	dir := privateDir(t)
	stop(t, start(t, dir))
	if err := os.Chown(filepath.Join(dir, "postgres", "data"), sysuser.Sandbox, sysuser.Sandbox); err != nil {
		t.Fatal(err)
	}
	_, err := embedded.Start(t.Context(), embedded.Config{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "must not reach the database") {
		t.Errorf("Start: %v", err)
	}
}
