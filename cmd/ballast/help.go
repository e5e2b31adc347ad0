package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ballast/service"
)

// otherGroup is the heading of flags that belong to the command alone.
const otherGroup = "Flags"

// flagGroup is a part of a command's flags under a heading of its help.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// groupFlags divides flags into the groups that they were bound in, after those
// that belong to the command alone.
func groupFlags(flags *pflag.FlagSet) []flagGroup {
	var groups []flagGroup
	of := map[string]*pflag.FlagSet{}
	for _, title := range append([]string{""}, service.Groups()...) {
		of[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
		groups = append(groups, flagGroup{cmp.Or(title, otherGroup), of[title]})
	}
	flags.VisitAll(func(f *pflag.Flag) { of[service.Group(f)].AddFlag(f) })
	return groups
}

// flagsHelp is the part of a command's help that lists its flags.
func flagsHelp(cmd *cobra.Command) string {
	var text strings.Builder
	for _, g := range groupFlags(cmd.LocalFlags()) {
		if g.flags.HasAvailableFlags() {
			text.WriteString("\n\n" + g.title + ":\n" + strings.TrimRight(g.flags.FlagUsages(), "\n"))
		}
	}
	return text.String()
}

// Functions of templates are cobra's for the whole process.
func init() { cobra.AddTemplateFunc("flagsHelp", flagsHelp) }

// groupHelp has the help of a command and of those below it list flags by group.
// The rest of the template stays cobra's.
func groupHelp(root *cobra.Command) {
	const flagsOfCobra = `{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}`
	template := root.UsageTemplate()
	if !strings.Contains(template, flagsOfCobra) {
		panic("cobra's template of the usage has changed: list flags by group in the new one")
	}
	root.SetUsageTemplate(strings.Replace(template, flagsOfCobra, `{{flagsHelp .}}`, 1))
}
