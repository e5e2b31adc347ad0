package postgrestest_test

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/postgrestest"
)

func TestPostgresIsolatesTests(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			execute(t, postgrestest.New(t), "create table own (v int)")
		})
	}
}

func TestPostgresFromTemplate(t *testing.T) {
	t.Parallel()
	prepared := make(chan struct{}, 1) // a second preparation would block
	for i := range 3 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			dsn := postgrestest.NewFrom(t, "kept", func(_ context.Context, dsn string) error {
				prepared <- struct{}{}
				execute(t, dsn, "create table kept (v int)")
				return nil
			})
			execute(t, dsn, "insert into kept values (1)")
			execute(t, dsn, "create table own (v int)")
		})
	}
}

// When the process ends, here by a kill, the server ends and its folder is removed.
func TestPostgresLeavesNothing(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperLives$", "-test.v")
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "BALLAST_TESTENV_HELPER=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.HasPrefix(lines.Text(), "postgres://"); {
	}
	left := func() []string {
		found, _ := filepath.Glob(filepath.Join(temp, "*"))
		return found
	}
	if len(left()) == 0 {
		t.Error("the helper has no folder")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for deadline := time.Now().Add(2 * time.Minute); len(left()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %v", left())
		}
	}
}

func TestHelperLives(t *testing.T) {
	if os.Getenv("BALLAST_TESTENV_HELPER") == "" {
		t.Skip("a process for another test")
	}
	dsn := postgrestest.New(t)
	if _, err := url.Parse(dsn); err != nil {
		t.Fatal(err)
	}
	fmt.Println()
	fmt.Println(dsn)
	select {}
}

func execute(t *testing.T, dsn, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
