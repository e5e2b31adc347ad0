package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ballast/service"
)

// otherGroup is the heading of flags without a group.
const otherGroup = "Flags"

// flagGroup is a part of a command's flags with its heading in help.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// groupFlags divides flags into the groups that they were bound with. Flags without a
// group come first.
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

// flagsHelp returns the part of a command's help that lists its flags.
func flagsHelp(cmd *cobra.Command) string {
	var text strings.Builder
	for _, g := range groupFlags(cmd.LocalFlags()) {
		if g.flags.HasAvailableFlags() {
			text.WriteString("\n\n" + g.title + ":\n" + strings.TrimRight(g.flags.FlagUsages(), "\n"))
		}
	}
	return text.String()
}

// Template functions are global in cobra.
func init() { cobra.AddTemplateFunc("flagsHelp", flagsHelp) }

// groupHelp makes the help of a command and its subcommands list flags by group. The
// rest of the template is cobra's own.
func groupHelp(root *cobra.Command) {
	const flagsOfCobra = `{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}`
	template := root.UsageTemplate()
	if !strings.Contains(template, flagsOfCobra) {
		panic("cobra's usage template has changed; adapt groupHelp to list flags by group in the new template")
	}
	root.SetUsageTemplate(strings.Replace(template, flagsOfCobra, `{{flagsHelp .}}`, 1))
}
