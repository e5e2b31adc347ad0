package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePidFile(t *testing.T) {
	tests := []struct {
		name string
		text string
		want pidFile
		ok   bool
	}{
		{"ready", "42\n/d/data\n1700000000\n5432\n/d/run\n\n  1 2\nready   \n", pidFile{42, "/d/data", "/d/run", true}, true},
		{"starting", "42\n/d/data\n1700000000\n5432\n/d/run\n\n  1 2\nstarting\n", pidFile{42, "/d/data", "/d/run", false}, true},
		{"first lines alone", "42\n/d/data\n", pidFile{pid: 42, data: "/d/data"}, true},
		{"single user", "-42\n/d/data\n", pidFile{}, false},
		{"empty", "", pidFile{}, false},
		{"not a number", "x\n", pidFile{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := parsePidFile(test.text)
			if ok != test.ok || got != test.want {
				t.Errorf("got %+v, %t; want %+v, %t", got, ok, test.want, test.ok)
			}
		})
	}
}

func FuzzParsePidFile(f *testing.F) {
	f.Add("42\n/d/data\n1700000000\n5432\n/d/run\n\n  1 2\nready   \n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := parsePidFile(text); ok && p.pid <= 0 {
			t.Errorf("pid %d", p.pid)
		}
	})
}

func TestParseMajor(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", 15},
		{"postgres (PostgreSQL) 17.0\n", 17},
		{"postgres (PostgreSQL) 18beta1\n", 18},
		{"postgres (PostgreSQL) \n", 0},
		{"something else", 0},
	}
	for _, test := range tests {
		got, err := parseMajor(test.text)
		if got != test.want || (err == nil) != (test.want != 0) {
			t.Errorf("%q: %d, %v; want %d", test.text, got, err, test.want)
		}
	}
}

// installed creates folders with programs that report the given versions.
func installed(t *testing.T, versions ...string) []string {
	t.Helper()
	var folders []string
	for _, v := range versions {
		dir := filepath.Join(t.TempDir(), v)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"initdb", "postgres"} {
			script := "#!/bin/sh\necho 'postgres (PostgreSQL) " + v + "'\n"
			if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		folders = append(folders, dir)
	}
	return folders
}

func TestFindBinaries(t *testing.T) {
	tests := []struct {
		name      string
		installed []string
		major     int
		want      int
		err       string
	}{
		{"first for a new cluster", []string{"16.1", "17.2"}, 0, 16, ""},
		{"the cluster's own", []string{"16.1", "17.2"}, 17, 17, ""},
		{"too old is passed over", []string{"9.6.1", "17.2"}, 0, 17, ""},
		{"only too old", []string{"9.6.1"}, 0, 0, "is too old; version 14 or newer is needed"},
		{"cluster of another version", []string{"16.1"}, 17, 0, "was created by PostgreSQL 17, but this machine has 16"},
		{"nothing", nil, 0, 0, "apt-get install postgresql"},
		{"broken is passed over", []string{"broken", "17.2"}, 0, 17, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, err := findBinaries(context.Background(), installed(t, test.installed...), test.major)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error %v, want %q", err, test.err)
				}
				if errors.Is(err, ErrNoBinaries) != (len(test.installed) == 0) {
					t.Errorf("ErrNoBinaries in %v", err)
				}
				return
			}
			if err != nil || b.major != test.want {
				t.Errorf("%+v, %v; want version %d", b, err, test.want)
			}
		})
	}
}

func TestVersionIn(t *testing.T) {
	got := []int{versionIn("/usr/lib/postgresql/17/bin"), versionIn("/opt/homebrew/opt/postgresql@9/bin"), versionIn("/usr/bin")}
	if diff := cmp.Diff([]int{17, 9, 0}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLimitLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := func() int64 {
		t.Helper()
		if err := limitLog(path); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if _, err := f.Write(make([]byte, maxLog)); err != nil {
		t.Fatal(err)
	}
	if n := size(); n != maxLog {
		t.Errorf("size %d, want %d", n, maxLog)
	}
	if _, err := f.WriteString("one more\n"); err != nil {
		t.Fatal(err)
	}
	if n := size(); n != 0 {
		t.Errorf("size %d, want 0", n)
	}
	if _, err := f.WriteString("after\n"); err != nil {
		t.Fatal(err)
	}
	if got := tail(path, 0); got != "after" {
		t.Errorf("log holds %q", got)
	}
}
