// Package archtest tests that the code has the structure that docs/architecture.md
// draws: which package may import which.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ballast/internal/testenv"
)

type listed struct {
	ImportPath string
	Imports    []string
}

// TestImportsFlowDown checks that each package imports only packages on lower lines of
// the drawing, and those of its own room. A room is a folder and the folders below it
// that are not drawn themselves.
func TestImportsFlowDown(t *testing.T) {
	t.Parallel()
	rooms := drawing(t)
	packages := list(t, "ballast/...")
	if len(packages) < 10 {
		t.Fatalf("go list found %d packages, which cannot be all of them", len(packages))
	}
	used := map[string]bool{}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, "ballast/")
		from, ok := roomOf(rooms, name)
		if !ok {
			t.Errorf("%s has no room in the drawing of docs/architecture.md", name)
			continue
		}
		used[from] = true
		for _, i := range p.Imports {
			imported, own := strings.CutPrefix(i, "ballast/")
			if !own {
				continue
			}
			if to, ok := roomOf(rooms, imported); ok && to != from && rooms[to] <= rooms[from] {
				t.Errorf("%s imports %s, which does not stand below it in the drawing of docs/architecture.md", name, imported)
			}
		}
	}
	for room := range rooms {
		if !used[room] {
			t.Errorf("no package is in the room %s of the drawing", room)
		}
	}
}

// drawing reads the floors from the architecture page: the line of every room.
func drawing(t *testing.T) map[string]int {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```floors\n")
	block, _, drawn := strings.Cut(rest, "```")
	if !drawn {
		t.Fatal("docs/architecture.md has no drawing of the floors")
	}
	rooms := map[string]int{}
	for line, text := range strings.Split(block, "\n") {
		for _, word := range strings.Fields(text) {
			if strings.ToUpper(word) == word { // the name of a floor
				continue
			}
			if _, twice := rooms[word]; twice {
				t.Errorf("the room %s is drawn twice", word)
			}
			rooms[word] = line
		}
	}
	return rooms
}

// roomOf returns the room of a package: the innermost of its folders that is drawn.
func roomOf(rooms map[string]int, name string) (string, bool) {
	for {
		if _, ok := rooms[name]; ok {
			return name, true
		}
		end := strings.LastIndexByte(name, '/')
		if end < 0 {
			return "", false
		}
		name = name[:end]
	}
}

// list returns what go list reports about packages and their imports on Linux, whatever
// system this machine runs, because the sandbox exists only there.
func list(t *testing.T, args ...string) []listed {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports"}, args...)...)
	command.Env = append(command.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func within(name, prefix string) bool {
	return name == prefix || strings.HasPrefix(name, prefix+"/")
}
