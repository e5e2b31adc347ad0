package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"ballast/service"
)

// probe is a command with settings of several kinds; it records their values.
func probe(got *service.Config) *cobra.Command {
	c := service.Default()
	root := &cobra.Command{Use: "ballast", SilenceErrors: true, SilenceUsage: true}
	root.PersistentFlags().String("config", "", "")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return configure(cmd) }
	probe := &cobra.Command{Use: "probe", RunE: func(*cobra.Command, []string) error { *got = c; return nil }}
	service.Bind(probe.Flags(), c.ForWorker()...)
	other := &cobra.Command{Use: "other", Run: func(*cobra.Command, []string) {}}
	other.Flags().String("listen", "", "")
	root.AddCommand(probe, other)
	return root
}

func TestConfigure(t *testing.T) {
	tests := []struct {
		name string
		args []string
		env  map[string]string
		file string
		want func(*service.Config) // changes the defaults
		err  string
	}{
		{name: "defaults", want: func(*service.Config) {}},
		{name: "file", file: "workers: 7\ndata-dir: /srv/ballast\nrun-deadline: 90s\n", want: func(c *service.Config) {
			c.Workers.Runs, c.Storage.DataDir, c.Sandbox.Deadline = 7, "/srv/ballast", 90*time.Second
		}},
		{name: "environment over file", file: "workers: 7\nsandboxes: 5\n", env: map[string]string{"BALLAST_WORKERS": "8"},
			want: func(c *service.Config) { c.Workers.Runs, c.Workers.Sandboxes = 8, 5 }},
		{name: "flag over environment over file", file: "workers: 7\n", env: map[string]string{"BALLAST_WORKERS": "8"}, args: []string{"--workers", "9"},
			want: func(c *service.Config) { c.Workers.Runs = 9 }},
		{name: "flag at its default over environment", env: map[string]string{"BALLAST_WORKERS": "8"}, args: []string{"--workers=6"},
			want: func(*service.Config) {}},
		{name: "empty environment counts as absent", file: "workers: 7\n", env: map[string]string{"BALLAST_WORKERS": ""},
			want: func(c *service.Config) { c.Workers.Runs = 7 }},
		{name: "setting of another command", file: "listen: 127.0.0.1:9\n", want: func(*service.Config) {}},
		{name: "dashes", env: map[string]string{"BALLAST_RUN_MEMORY_MIB": "64"}, want: func(c *service.Config) { c.Sandbox.MemoryMiB = 64 }},
		{name: "unknown key", file: "wrokers: 7\n", err: `unknown setting "wrokers" in the configuration file`},
		{name: "bad value in the file", file: "workers: many\n", err: "workers from the configuration file:"},
		{name: "bad value in the environment", env: map[string]string{"BALLAST_SWEEP_GRACE": "soon"}, err: "sweep-grace from BALLAST_SWEEP_GRACE:"},
		{name: "bad flag", args: []string{"--workers", "many"}, err: `invalid argument "many" for "--workers"`},
		{name: "not YAML", file: "workers\n", err: "is not YAML of the form"},
		{name: "absent file", args: []string{"--config", "/nowhere/ballast.yaml"}, err: "/nowhere/ballast.yaml does not exist"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			args := append([]string{"probe"}, test.args...)
			if test.file != "" {
				t.Setenv("BALLAST_CONFIG", writeFile(t, "ballast.yaml", test.file))
			}
			var got service.Config
			root := probe(&got)
			root.SetArgs(args)
			err := root.ExecuteContext(t.Context())
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := service.Default()
			test.want(&want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Some command knows every setting of the file and receives it.
func TestKnownSettings(t *testing.T) {
	root := rootCommand()
	for _, name := range []string{"data-dir", "listen", "workers", "sweep-grace", "public-url", "daily-run-limit", "account"} {
		if !knownSetting(root, name) {
			t.Errorf("%s is not known", name)
		}
	}
	if knownSetting(root, "nonsense") {
		t.Error("nonsense is known")
	}
}

func TestListsOfTheConfigurationFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ballast.yaml")
	text := "provider: [tiingo, stooq]\nprovider-rate: {tiingo: 30, stooq: 2.5}\nprovider-url: tiingo=http://a\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	root := rootCommand()
	var c service.ProvidersConfig
	probe := &cobra.Command{Use: "probe", RunE: func(*cobra.Command, []string) error { return nil }}
	service.Bind(probe.Flags(), &c)
	root.AddCommand(probe)
	root.SetArgs([]string{"probe", "--config", path})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	want := service.ProvidersConfig{
		Names: []string{"tiingo", "stooq"},
		URLs:  map[string]string{"tiingo": "http://a"}, Rates: map[string]string{"tiingo": "30", "stooq": "2.5"},
	}
	if d := cmp.Diff(want, c); d != "" {
		t.Error(d)
	}
}
