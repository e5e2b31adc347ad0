package sandbox

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/internal/confine"
)

// guards are the guards of a system that supports all.
var guards = []string{
	"empty_environment", "closed_descriptors", "resource_limits", "unprivileged_user", "no_dump", "parent_death",
	"no_new_privileges", "landlock", "seccomp", "memory_watch", "sealed_frames",
}

// unguarded is the main function of a child on a system that lacks a guard.
func unguarded(name string) int {
	r := confine.Report{}
	for _, guard := range guards[:len(guards)-2] { // the parent adds its own
		r = append(r, confine.Guard{Name: guard, Active: guard != name, Detail: "simulated"})
	}
	if err := greet(&socket{childSocket}, r); err != nil {
		return 1
	}
	select {}
}

func TestAllGuardsAreReported(t *testing.T) {
	var names []string
	for _, g := range testPool(t, 1).Guards() {
		names = append(names, g.Name)
	}
	if got, want := strings.Join(names, " "), strings.Join(guards, " "); got != want {
		t.Errorf("guards %s\n  want %s", got, want)
	}
}

// TestMissingGuards checks that missing guards are logged at the start and shown in the
// metrics, and that a strict pool does not start.
func TestMissingGuards(t *testing.T) {
	for _, name := range guards[:len(guards)-2] {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			registry := prometheus.NewRegistry()
			c := Config{
				Command: []string{"/proc/self/exe", "unguarded", name}, Strict: true,
				Logger: slog.New(slog.NewTextHandler(&said, nil)), Registerer: registry,
			}
			_, err := NewPool(t.Context(), c)
			if err == nil || !strings.Contains(err.Error(), "lacks "+name+" on this system") || !strings.Contains(err.Error(), "no "+name+" (simulated)") {
				t.Fatalf("error %v", err)
			}
			if families, err := registry.Gather(); err != nil || len(families) > 0 {
				t.Errorf("metrics %v are left, error %v", families, err)
			}
			c.Strict = false
			p, err := NewPool(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if missing := p.Guards().Missing(); len(missing) != 1 || missing[0] != name {
				t.Errorf("missing %v", missing)
			}
			if line := said.String(); !strings.Contains(line, "level=WARN") || !strings.Contains(line, "missing=["+name+"]") {
				t.Errorf("log %s", line)
			}
			if got := metric(t, registry, "ballast_sandbox_guard")[name]; got != 0 {
				t.Errorf("gauge of %s is %v", name, got)
			}
		})
	}
	if left := descendants(t); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// TestStrictPool checks that a strict pool starts if all guards are active, and not if
// this system lacks one.
func TestStrictPool(t *testing.T) {
	missing := testPool(t, 1).Guards().Missing()
	p, err := NewPool(t.Context(), Config{Command: []string{"/proc/self/exe", "sandbox"}, Strict: true, Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		defer p.Close()
	}
	if (err == nil) != (len(missing) == 0) {
		t.Errorf("error %v with %v missing", err, missing)
	}
}

func TestGuardsAreExported(t *testing.T) {
	registry := prometheus.NewRegistry()
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "sandbox"}, Registerer: registry})
	got := metric(t, registry, "ballast_sandbox_guard")
	if len(got) != len(guards) {
		t.Errorf("gauges %v", got)
	}
	for _, g := range p.Guards() {
		if (got[g.Name] == 1) != g.Active {
			t.Errorf("gauge of %s is %v", g.Name, got[g.Name])
		}
	}
}

// metric reads the values of a gauge or counter, by its label.
func metric(t *testing.T, r *prometheus.Registry, name string) map[string]float64 {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range families {
		if f.GetName() == name {
			for _, m := range f.GetMetric() {
				values[m.GetLabel()[0].GetValue()] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return values
}
