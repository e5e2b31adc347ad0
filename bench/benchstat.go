package bench

import (
	"fmt"
	"io"
	"strings"
)

// Benchstat writes the report in the format of Go's benchmarks, one line per row and
// count, so that benchstat can compare two reports.
func (r *Report) Benchstat(w io.Writer) error {
	m := r.Machine
	if _, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: ballast/bench\ncpu: %s\n", m.OS, m.Arch, m.CPU); err != nil {
		return err
	}
	for _, row := range r.Rows {
		for _, one := range row.each {
			if one.Skipped != "" {
				continue
			}
			var figures strings.Builder
			for _, f := range one.Figures {
				fmt.Fprintf(&figures, "\t%g %s", f.Value, benchstatUnit(f))
			}
			if _, err := fmt.Fprintf(w, "Benchmark%s-%d\t1%s\n", row.Key, m.Cores, figures.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchstatUnit joins a figure's name and unit to one word, such as warm-p50-ms.
func benchstatUnit(f Figure) string {
	unit := strings.NewReplacer("×", "x", "µ", "u").Replace(f.Unit)
	return strings.ReplaceAll(f.Name, " ", "-") + "-" + unit
}
