package download_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// interpreter finds Python. It skips the test if there is none.
func interpreter(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not there: the download is not run")
	}
	return path
}

// driver runs many downloads in one process. It reads the requests as JSON and writes one
// answer for each. It compiles each file once, because that takes longer than most runs.
const driver = `
import io, json, sys, time, types
compiled, answers = {}, []
for request in json.load(sys.stdin):
    sys.argv = [request["file"]] + request["arguments"]
    sys.stdout, sys.stderr, code = io.StringIO(), io.StringIO(), 0
    begun = time.process_time()
    try:
        file = request["file"]
        if file not in compiled:
            with open(file, "rb") as source:
                compiled[file] = compile(source.read(), file, "exec")
        main = types.ModuleType("__main__")
        main.__file__ = file
        sys.modules["__main__"] = main
        exec(compiled[file], main.__dict__)
    except SystemExit as e:
        code = e.code or 0
    answers.append({"code": code, "out": sys.stdout.getvalue(), "errors": sys.stderr.getvalue(),
                    "seconds": time.process_time() - begun})
json.dump(answers, sys.__stdout__)
`

type request struct {
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
}

type answer struct {
	Code    int     `json:"code"`
	Out     string  `json:"out"`
	Errors  string  `json:"errors"`
	Seconds float64 `json:"seconds"` // processor time
}

// runAll runs downloads in two parallel processes.
func runAll(t *testing.T, requests []request) []answer {
	t.Helper()
	program := interpreter(t)
	answers := make([]answer, len(requests))
	var wait sync.WaitGroup
	for half := range 2 {
		wait.Go(func() {
			var part []request
			for i := half; i < len(requests); i += 2 {
				part = append(part, requests[i])
			}
			if len(part) == 0 {
				return
			}
			in, err := json.Marshal(part)
			if err != nil {
				t.Error(err)
				return
			}
			var out, errs bytes.Buffer
			cmd := exec.CommandContext(t.Context(), program, "-c", driver)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
			var got []answer
			if err := cmd.Run(); err != nil {
				t.Errorf("the driver: %v: %s", err, errs.String())
			} else if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got) != len(part) {
				t.Errorf("the driver's answer: %v", err)
			} else {
				for k, a := range got {
					answers[half+2*k] = a
				}
			}
		})
	}
	wait.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return answers
}

// save writes a file for a test.
func save(t *testing.T, folder, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
