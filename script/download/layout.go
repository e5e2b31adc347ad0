package download

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"ballast/script"
)

// packageName is the Python package that contains the runtime's modules.
const packageName = "_ballast"

// dialectNames are the functions that behave differently in the dialect and in Python.
// The script uses these instead of Python's built-in ones.
const dialectNames = "enumerate, pow, print, reversed, round, set, sum, zip"

// layout writes the parts of the file in order.
type layout struct {
	family
	out  *strings.Builder
	name string // the only name that the file itself binds at top level; the script does not contain it
}

func (l layout) line(format string, args ...any) { fmt.Fprintf(l.out, format+"\n", args...) }

// header writes comments that say what the file is.
func (l layout) header(p *script.Script, o Options) {
	l.line("#!/usr/bin/env python3")
	// Python reads an encoding from the first two lines, so the script must not
	// determine them.
	l.line("# -*- coding: utf-8 -*-")
	title := p.Name
	if p.Symbol != "" {
		title += " (" + p.Symbol + ")"
	}
	l.line("# %s", oneLine(title))
	l.line("#")
	for _, line := range l.purpose {
		l.line("# %s", line)
	}
	l.line("#")
	l.line("#     python3 %s.py --bars prices.csv.gz", p.Kind.Name)
	l.line("#     python3 %s.py --bars prices.csv.gz%s --json", p.Kind.Name, exampleInput(p))
	address := "https://ballast.example"
	if o.URL != "" {
		address = oneLine(o.URL)
	}
	l.line("#     python3 %s.py --url %s --key bk_...", p.Kind.Name, address)
	l.line("#     python3 %s.py --help", p.Kind.Name)
	l.line("#")
	if o.Model != "" {
		l.line("# %-16s %s", l.title, oneLine(o.Model))
	}
	l.line("# Script           sha256 %s", p.Hash)
	l.line("# Harness version  %s", script.HarnessVersion)
	for _, name := range slices.Sorted(maps.Keys(o.Optimizers)) {
		l.line("# Optimizer        %s, version %d", oneLine(name), o.Optimizers[name].Version)
	}
	l.line("#")
	l.line("# The %[1]s itself is at the end, below \"The %[1]s\"; it can be changed there. What", p.Kind.Name)
	l.line("# comes first is the runtime: harness, engine, readers of bars.")
	l.line("")
}

// runtime writes the modules. Each is a function that runs with separate globals, so
// that it does not see the names that the script binds, such as sum or len.
func (l layout) runtime(modules []module) {
	l.line(`
def %[1]s(name):
    """Run the decorated function, apart from all other names, as a module of the runtime."""
    import builtins
    import sys
    import types

    def define(body):
        module = types.ModuleType("%[2]s." + name)
        apart = types.FunctionType(body.__code__, {"__name__": module.__name__, "__builtins__": builtins})
        module.__dict__.update(apart())
        sys.modules[module.__name__] = module
        return %[1]s

    return define
`, l.name, packageName)
	for _, m := range modules {
		l.line("")
		l.line("# ---- Runtime: %s %s", m.name, strings.Repeat("-", max(3, 70-len(m.name))))
		l.line(`@%s("%s")`, l.name, m.name)
		l.line("def %s():", l.name)
		for text := range strings.SplitSeq(strings.TrimRight(m.text, "\n"), "\n") {
			if text == "" {
				l.line("")
			} else {
				l.line("    %s", text)
			}
		}
		l.line("")
		l.line("    return locals()")
		l.line("")
	}
}

// script writes the unchanged script between the lines that make it run.
func (l layout) script(p *script.Script, o Options) error {
	kind := p.Kind.Name
	l.line("")
	l.line("# ---- The %s %s", kind, strings.Repeat("-", 75-len(kind)))
	l.line("# In place of Python's own functions: sums from the first to the last, sets in order.")
	l.line("from %s.dialect import %s", packageName, dialectNames)
	l.line("from %s.%s import begin as %s", packageName, l.main, l.name)
	arguments := "{" + meanings(o.Members) + "}"
	if len(o.Series) > 0 {
		arguments += ", {" + seriesTerms(o.Series) + "}"
	}
	if len(o.Optimizers) > 0 {
		rules, err := optimizerTerms(o.Optimizers)
		if err != nil {
			return err
		}
		arguments += ", optimizers={" + rules + "}"
	}
	l.line("%s(%s)  # the %s begins on the next line", l.name, arguments, kind)
	text := strings.TrimPrefix(p.Source, "\ufeff")
	l.out.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		l.line("")
	}
	l.line("")
	l.line("# ---- The end of the %s %s", kind, strings.Repeat("-", 64-len(kind)))
	l.line("if __name__ == \"__main__\":")
	l.line("    from %s.%s import main as %s", packageName, l.main, l.name)
	l.line("    %s()", l.name)
	return nil
}

// meanings formats what the entries of a universe refer to as items of a Python
// dictionary.
func meanings(members map[string]Member) string {
	items := make([]string, 0, len(members))
	for _, entry := range slices.Sorted(maps.Keys(members)) {
		m := members[entry]
		items = append(items, fmt.Sprintf("%q: (%q, %q, %q)", entry, m.Kind, m.ID, m.Symbol))
	}
	return strings.Join(items, ", ")
}

// seriesTerms formats series as items of a Python dictionary.
func seriesTerms(series map[string]Series) string {
	items := make([]string, 0, len(series))
	for _, name := range slices.Sorted(maps.Keys(series)) {
		monthly := "False"
		if series[name].Monthly {
			monthly = "True"
		}
		items = append(items, fmt.Sprintf("%q: (%s, %d, %q)", strings.ToUpper(name), monthly, series[name].Lag, series[name].Kind))
	}
	return strings.Join(items, ", ")
}

// exampleInput returns a flag that sets an input of the model, for the header.
func exampleInput(p *script.Script) string {
	for i := range p.Inputs.Properties {
		in := &p.Inputs.Properties[i]
		switch value := in.Default.(type) {
		case int64, bool:
			return fmt.Sprintf(" --input %s=%v", in.Name, value)
		case float64:
			if in.Name != "initial_cash" { // has its own flag
				return fmt.Sprintf(" --input %s=%v", in.Name, value)
			}
		}
	}
	return " --start-date 2010-01-01"
}

// oneLine replaces line breaks and control characters, so that a text stays within a
// comment.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}
