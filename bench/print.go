package bench

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// Print writes the report as a table. It ignores errors of w.
func (r *Report) Print(w io.Writer) {
	m := r.Machine
	fmt.Fprintf(w, "\n%s, %d cores, %s/%s, %s\n", m.CPU, m.Cores, m.OS, m.Arch, m.Go)
	if r.Smoke {
		fmt.Fprintln(w, "A smoke run: few repetitions, so the figures say little.")
	}
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	if len(r.Rows) > 0 {
		fmt.Fprintln(t, "\nROW\tMEASURED\t\tBAR\t")
	}
	for _, row := range r.Rows {
		if row.Skipped != "" {
			fmt.Fprintf(t, "%s\tskipped: %s\t\t%s\t\n", row.Name, row.Skipped, row.Bar)
			continue
		}
		for i, f := range row.Figures {
			name, bar, verdict := "", "", ""
			if i == 0 {
				name, bar, verdict = row.Name, row.Bar, row.verdict()
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", name, f, f.Name, bar, verdict)
		}
	}
	_ = t.Flush() // as is said above
	if r.Peers != nil {
		r.Peers.print(w)
	}
	printGrowth(w, r.Growth)
}

// verdict returns ok, MISSED, or "" if the row has no bar.
func (m *Measured) verdict() string {
	switch {
	case m.OK == nil:
		return ""
	case *m.OK:
		return "ok"
	}
	return "MISSED"
}

// String returns the value with its unit, with three digits or all digits before the
// decimal point.
func (f Figure) String() string {
	precision := 0
	for bound := 100.0; precision < 4 && f.Value < bound; bound /= 10 {
		precision++
	}
	return strconv.FormatFloat(f.Value, 'f', precision, 64) + " " + f.Unit
}
