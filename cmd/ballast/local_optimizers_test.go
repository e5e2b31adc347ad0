package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/script"
)

func TestOptimizersFor(t *testing.T) {
	t.Parallel()
	uses := &script.Script{Optimizers: []string{"Low"}}
	const one = `{"name": "LOW", "objective": "min_variance", "version": 3, "id": "optimizer_1"}`
	for _, c := range []struct{ name, text, want string }{
		{name: "one", text: one},
		{name: "a list", text: `[` + one + `, {"name": "Other", "objective": "hrp"}]`},
		{name: "an answer of the service", text: `{"data": [` + one + `], "total": 1}`},
		{name: "a script", text: `{"name": "low", "script": "NAME = \"L\"\n\ndef optimize(ctx):\n    return {}\n"}`},
		{name: "another name", text: `{"name": "LAW", "objective": "hrp"}`, want: "did you mean LAW?"},
		{name: "no name", text: `{"objective": "hrp"}`, want: "has no name"},
		{name: "twice", text: `[` + one + `, ` + one + `]`, want: "defined twice"},
		{name: "an unknown field", text: `{"name": "LOW", "objektive": "hrp"}`, want: "unknown field"},
		{name: "an unknown objective", text: `{"name": "LOW", "objective": "best"}`, want: "accepted: min_variance"},
		{name: "a tag", text: `{"name": "LOW", "objective": "min_variance", "groups": [{"tag": "bonds", "max": 0.5}]}`, want: "name the members instead"},
		{name: "a wrong script", text: `{"name": "LOW", "script": "NAME = \"L\"\n"}`, want: "the script of the optimizer LOW, line 1"},
		{name: "an unknown input", text: `{"name": "LOW", "inputs": {"x": 1}, "script": "NAME = \"L\"\n\ndef optimize(ctx):\n    return {}\n"}`, want: "inputs.x is not an input"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "o.json"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{folder, filepath.Join(folder, "o.json")} {
				found, err := optimizersFor(uses, path)
				switch {
				case c.want == "" && (err != nil || len(found) != 1):
					t.Errorf("%d definitions, error %v", len(found), err)
				case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
					t.Errorf("error %v, want one with %q", err, c.want)
				}
			}
		})
	}
	if _, err := optimizersFor(uses, ""); err == nil || !strings.Contains(err.Error(), "--optimizers") {
		t.Errorf("without a file: error %v", err)
	}
}
