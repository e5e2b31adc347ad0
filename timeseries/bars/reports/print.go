package reports

import (
	"fmt"
	"io"
	"strings"

	"ballast/timeseries"
)

// Print writes the report as text, one line per problem. Errors of w are ignored.
func (r *Report) Print(w io.Writer) {
	var b strings.Builder
	if r.File != "" {
		fmt.Fprintf(&b, "%s: %d rows, %d symbols", r.File, r.Rows, r.Symbols)
		if r.First != timeseries.NoDate {
			fmt.Fprintf(&b, ", %s to %s", r.First, r.Last)
		}
		b.WriteByte('\n')
	}
	switch {
	case r.Version > 0 && r.Added+r.Changed > 0:
		fmt.Fprintf(&b, "  %d added, %d changed, %d unchanged; %d new symbols, %d restated; version %d\n",
			r.Added, r.Changed, r.Unchanged, r.NewSymbols, r.Restated, r.Version)
	case r.Version > 0:
		fmt.Fprintf(&b, "  nothing new; version %d\n", r.Version)
	}
	for _, p := range r.Problems {
		where := strings.Join(strings.Fields(p.Symbol+" "+p.Date.String()), " ")
		if where != "" {
			where = " " + where
		}
		fmt.Fprintf(&b, "  %s: %s%s: %s", p.Severity, p.Kind, where, p.Message)
		if p.Count > 1 {
			fmt.Fprintf(&b, " (%d rows)", p.Count)
		}
		b.WriteByte('\n')
	}
	_, _ = io.WriteString(w, b.String())
}
