package download_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// evaluate runs a Python program with a request in JSON and reads its answer. It skips
// the test if there is no python3.
func evaluate(t *testing.T, program string, request, answer any) {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is absent")
	}
	in, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "-B", "-W", "error", program)
	c.Stdin = strings.NewReader(string(in))
	var problems strings.Builder
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, problems.String())
	}
	if err := json.Unmarshal(out, answer); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
}

// The runtime must be valid for Python 3.9 and must allow indentation, because its
// modules become function bodies in the download.
func TestRuntimeIsPython39(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("runtime/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var problems map[string][]string
	evaluate(t, "testdata/syntax.py", files, &problems)
	for _, file := range files {
		for _, problem := range problems[file] {
			t.Errorf("%s: %s", file, problem)
		}
	}
}
