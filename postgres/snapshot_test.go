package postgres_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"ballast/operate/backup"
	"ballast/postgres"
	"ballast/postgres/embedded"
	"ballast/postgres/postgrestest"
	"ballast/storage/columnar"
)

// noObjects is the bucket of an installation without results.
type noObjects struct{}

func (noObjects) List(context.Context, string) iter.Seq2[columnar.Entry, error] {
	return func(func(columnar.Entry, error) bool) {}
}

func (noObjects) Open(context.Context, string) (*columnar.Object, error) {
	return nil, columnar.ErrNotFound
}

func (noObjects) Path(context.Context, string) (string, error) { return "", columnar.ErrNotFound }

func (noObjects) Put(_ context.Context, key string, _ func(io.Writer) error) error {
	return fmt.Errorf("the backup has no object %s", key)
}

// empty returns a database without tables.
func empty(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgrestest.New(t), postgres.Config{MaxConns: 4})
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

// odd returns a database with rows that are hard to copy as text.
func odd(t *testing.T) *postgres.DB {
	t.Helper()
	db := open(t)
	newAccount(t, db, "tab\tnew\nline \\N \\. quote\" 'é\u2028")
	other := newAccount(t, db, "\\.")
	_, err := db.Pool().Exec(t.Context(), "insert into keys (id, account_id, name, prefix, hash, created_at) values ('key_' || repeat('0', 32), $1, '', 'bk_', decode(repeat('5c', 32), 'hex'), now())", other.ID)
	must(t, err)
	_, err = db.Pool().Exec(t.Context(), "insert into river_job (kind, args, max_attempts, state) values ('run', '{\"run_id\": \"a\\\\nb\"}', 3, 'available')")
	must(t, err)
	return db
}

// contents returns all rows of all tables as text, and the values of sequences.
func contents(t *testing.T, db *postgres.DB) map[string]string {
	t.Helper()
	all := map[string]string{}
	of, err := db.Dump(t.Context(), func(table string, columns []string, rows func(io.Writer) error) error {
		var text bytes.Buffer
		err := rows(&text)
		all[table] = strings.Join(columns, " ") + "\n" + text.String()
		return err
	})
	must(t, err)
	sequences, err := json.Marshal(of.Sequences)
	must(t, err)
	all["sequences"] = string(sequences)
	return all
}

func write(t *testing.T, db *postgres.DB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "backup")
	_, err := backup.Write(t.Context(), db, noObjects{}, dir, nil)
	must(t, err)
	return dir
}

func restore(t *testing.T, dir string, db *postgres.DB) error {
	t.Helper()
	b, err := backup.Verify(t.Context(), dir, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	return backup.Restore(t.Context(), b, db, noObjects{}, t.TempDir(), nil)
}

func TestRestoredRowsAreTheSame(t *testing.T) {
	t.Parallel()
	db, again := odd(t), empty(t)
	want := contents(t, db)
	must(t, restore(t, write(t, db), again))
	if diff := cmp.Diff(want, contents(t, again)); diff != "" {
		t.Error(diff)
	}
	must(t, again.Migrate(t.Context()))
	newAccount(t, again, "more")
	var next int64
	must(t, again.Pool().QueryRow(t.Context(), "insert into river_job (kind, args, max_attempts, state) values ('run', '{}', 3, 'available') returning id").Scan(&next))
	if next != 2 {
		t.Errorf("the sequence of jobs goes on with %d", next)
	}
	var references int
	must(t, again.Pool().QueryRow(t.Context(), "select count(*) from pg_constraint where contype = 'f' and convalidated").Scan(&references))
	var before int
	must(t, db.Pool().QueryRow(t.Context(), "select count(*) from pg_constraint where contype = 'f' and convalidated").Scan(&before))
	if references != before || before == 0 {
		t.Errorf("%d foreign keys, %d before", references, before)
	}
}

// A database whose restore did not complete is not an installation.
func TestUnfinishedRestoreIsRefused(t *testing.T) {
	t.Parallel()
	db, again := odd(t), empty(t)
	dir := write(t, db)
	damage(t, dir, func(m *backup.Manifest) { m.Sequences = map[string]int64{"strangers": 7} })
	if err := restore(t, dir, again); err == nil || !strings.Contains(err.Error(), "unknown to this version") {
		t.Fatalf("restore: %v", err)
	}
	if err := again.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "was interrupted") {
		t.Errorf("migrate: %v", err)
	}
	if rows := contents(t, again)["accounts"]; strings.Contains(rows, "example.com") {
		t.Errorf("rows are left: %s", rows)
	}
	if err := restore(t, write(t, db), again); err == nil || !strings.Contains(err.Error(), "already has tables") {
		t.Errorf("restored over half of another: %v", err)
	}
}

// A backup whose manifest is wrong is refused before anything outside its folder is read.
func TestHostileFoldersAreRefused(t *testing.T) {
	t.Parallel()
	db := odd(t)
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.WriteFile(outside, []byte("secret"), 0o600))
	rows := func(dir string) string { return filepath.Join(dir, "rows", "accounts.zst") }
	for name, test := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"a link in place of rows": {func(t *testing.T, dir string) {
			must(t, os.Rename(rows(dir), rows(dir)+".real"))
			must(t, os.Symlink(rows(dir)+".real", rows(dir)))
		}, "not a regular file"},
		"a folder that leads elsewhere": {func(t *testing.T, dir string) {
			elsewhere := filepath.Join(t.TempDir(), "rows")
			must(t, os.Rename(filepath.Join(dir, "rows"), elsewhere))
			must(t, os.Symlink(elsewhere, filepath.Join(dir, "rows")))
		}, "escapes"},
		"a pipe in place of rows": {func(t *testing.T, dir string) {
			must(t, os.Remove(rows(dir)))
			must(t, syscall.Mkfifo(rows(dir), 0o600))
		}, "not a regular file"},
		"a link in place of the manifest": {func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, "manifest.json")))
			must(t, os.Symlink(outside, filepath.Join(dir, "manifest.json")))
		}, "not a regular file"},
		"an object outside": {func(t *testing.T, dir string) {
			damage(t, dir, func(m *backup.Manifest) { m.Objects["../../outside"] = backup.File{Bytes: 6} })
		}, "is not a valid object key"},
		"a table outside": {func(t *testing.T, dir string) {
			damage(t, dir, func(m *backup.Manifest) { m.Tables["../../outside"] = backup.Table{} })
		}, "is not a valid table name"},
		"a file that is longer than it says": {func(t *testing.T, dir string) {
			must(t, os.Truncate(rows(dir), 1<<40))
		}, "but the manifest says"},
		"rows that are longer than they say": {func(t *testing.T, dir string) {
			replaceRows(t, dir, "accounts", strings.Repeat("x", 1<<20), 100)
		}, "do not have the size"},
		"rows that are shorter than they say": {func(t *testing.T, dir string) {
			replaceRows(t, dir, "accounts", "", 100)
		}, "do not have the size"},
		"a table of a stranger": {func(t *testing.T, dir string) {
			damage(t, dir, func(m *backup.Manifest) { m.Tables["pg_proc"] = m.Tables["accounts"] })
			must(t, copyFile(rows(dir), filepath.Join(dir, "rows", "pg_proc.zst")))
		}, "unknown to this version"},
		"a column of a stranger": {func(t *testing.T, dir string) {
			damage(t, dir, func(m *backup.Manifest) { m.Tables["accounts"].Columns[0] = `id") from program 'true' --` })
		}, "has the columns"},
		"a migration of the future": {func(t *testing.T, dir string) {
			damage(t, dir, func(m *backup.Manifest) { m.Migrations = append(m.Migrations, 99_999) })
		}, "migration 99999"},
		"a queue of the future": {func(t *testing.T, dir string) {
			damage(t, dir, func(m *backup.Manifest) { m.Queue = 99 })
		}, "version 99"},
		"rows that refer to none": {func(t *testing.T, dir string) {
			replaceRows(t, dir, "accounts", "", 0)
		}, "violates foreign key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, db)
			test.change(t, dir)
			again := empty(t)
			err := restore(t, dir, again)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("restore: %v, want %q", err, test.want)
			}
		})
	}
}

// A backup of format 1 restores its rows.
func TestFormerBackupRestores(t *testing.T) {
	t.Parallel()
	db, again := odd(t), empty(t)
	want := contents(t, db)
	must(t, restore(t, former(t, db, nil), again))
	if diff := cmp.Diff(want, contents(t, again)); diff != "" {
		t.Error(diff)
	}
}

// Anything in a dump besides the rows of the program's tables has no effect.
func TestHostileDumps(t *testing.T) {
	t.Parallel()
	touched := filepath.Join(t.TempDir(), "touched")
	for name, test := range map[string]struct {
		prepare string // run in the database that is dumped
		change  func(t *testing.T, dump []byte) []byte
		want    string // "" restores
	}{
		"functions and triggers": {prepare: `create function pwn() returns trigger language plpgsql as $$ begin execute 'copy (select 1) to program ''touch ` + touched + `'''; return new; end $$;
			create trigger pwn before insert on accounts for each row execute function pwn();
			create view shadow as select * from accounts`},
		"a table of a stranger": {prepare: "create table stranger (v text); insert into stranger values ('x')", want: "unknown to this version"},
		"rows from a program": {change: func(t *testing.T, dump []byte) []byte {
			return replaced(t, dump, "COPY public.accounts (", ") FROM stdin;\n", "COPY public.accounts FROM PROGRAM 'touch "+touched+"'; --")
		}, want: "other than rows"},
		"a statement of its own": {change: func(t *testing.T, dump []byte) []byte {
			return replaced(t, dump, "COPY public.accounts (", ") FROM stdin;\n", "DROP TABLE accounts; --")
		}, want: "other than rows"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, again := odd(t), empty(t)
			if test.prepare != "" {
				_, err := db.Pool().Exec(t.Context(), test.prepare)
				must(t, err)
			}
			err := restore(t, former(t, db, test.change), again)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("restore: %v, want %q", err, test.want)
			}
			if err == nil {
				var foreign int
				must(t, again.Pool().QueryRow(t.Context(), "select count(*) from pg_proc where proname = 'pwn'").Scan(&foreign))
				if foreign > 0 {
					t.Error("a function of the dump is in the database")
				}
			}
			if _, err := os.Stat(touched); err == nil {
				t.Error("a program was run")
			}
		})
	}
}

// former creates a backup of format 1, as earlier versions did.
func former(t *testing.T, db *postgres.DB, change func(*testing.T, []byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "database.dump")
	var server int
	must(t, db.Pool().QueryRow(t.Context(), "select current_setting('server_version_num')::integer / 10000").Scan(&server))
	cmd, err := embedded.Tool(t.Context(), "pg_dump", server, "--format=custom", "--no-owner", "--no-privileges", "--file="+file, "--dbname="+db.Pool().Config().ConnString())
	must(t, err)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dump, err := os.ReadFile(file)
	must(t, err)
	if change != nil {
		dump = change(t, dump)
		must(t, os.WriteFile(file, dump, 0o600))
	}
	text, err := json.Marshal(map[string]any{
		"format": 1, "at": time.Now(), "postgresql": server, "schema": 21, "database": fileOf(dump), "objects": map[string]any{},
	})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o600))
	return dir
}

// replaced overwrites what stands from the one string to the end of the other with text,
// padded to the same length.
func replaced(t *testing.T, dump []byte, from, to, text string) []byte {
	t.Helper()
	begin := bytes.Index(dump, []byte(from))
	if begin < 0 {
		t.Fatalf("the dump has no %q", from)
	}
	end := begin + bytes.Index(dump[begin:], []byte(to)) + len(to) - 1
	if len(text) > end-begin {
		t.Fatalf("%q is too long for %q", text, dump[begin:end])
	}
	copy(dump[begin:end], text+strings.Repeat("-", end-begin-len(text)))
	return dump
}

// damage changes the manifest of a backup.
func damage(t *testing.T, dir string, change func(*backup.Manifest)) {
	t.Helper()
	path := filepath.Join(dir, "manifest.json")
	text, err := os.ReadFile(path)
	must(t, err)
	var m backup.Manifest
	must(t, json.Unmarshal(text, &m))
	change(&m)
	text, err = json.Marshal(m)
	must(t, err)
	must(t, os.WriteFile(path, text, 0o600))
}

// replaceRows replaces a table's rows in a backup and sets the right checksum.
func replaceRows(t *testing.T, dir, table, text string, said int64) {
	t.Helper()
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed)
	must(t, err)
	_, err = io.WriteString(z, text)
	must(t, err)
	must(t, z.Close())
	must(t, os.WriteFile(filepath.Join(dir, "rows", table+".zst"), packed.Bytes(), 0o600))
	damage(t, dir, func(m *backup.Manifest) {
		t := m.Tables[table]
		t.Text, t.File = said, fileOf(packed.Bytes())
		m.Tables[table] = t
	})
}

func fileOf(b []byte) backup.File {
	sum := sha256.Sum256(b)
	return backup.File{Bytes: int64(len(b)), SHA256: hex.EncodeToString(sum[:])}
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o600)
}
