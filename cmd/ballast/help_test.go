package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"ballast/service"
)

// Help lists every setting once, under its group.
func TestServeHelpListsFlagsByGroup(t *testing.T) {
	t.Parallel()
	root := rootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"serve", "--help"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	help := out.String()
	place := 0
	for _, title := range service.Groups() {
		at := strings.Index(help, "\n"+title+":\n  ")
		if at < place {
			t.Errorf("the group %q is missing, or not in its place", title)
		}
		place = at
	}
	serve, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	serve.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if n := strings.Count(help, " --"+f.Name+" "); n < 1 {
			t.Errorf("the help does not list --%s", f.Name)
		}
		if service.Group(f) == "" && f.Name != "help" {
			t.Errorf("--%s is in no group", f.Name)
		}
	})
}
