package analysis

import (
	"ballast/analyze"
	"ballast/script"
)

// correlation is the correlation of all pairs of members.
type correlation struct {
	keys      []string
	frequency string
	method    analyze.Method
}

func newCorrelation(a *arguments) operation {
	return &correlation{keys: a.keys("keys", 2), frequency: a.frequency(), method: analyze.Method(a.choice("method", string(analyze.Pearson), string(analyze.Spearman)))}
}

func (o *correlation) members() []string { return o.keys }

func (o *correlation) run(w *window, s *sheet) (string, error) {
	columns, err := w.columnsOf(o.keys, o.frequency)
	if err != nil {
		return "", err
	}
	c, err := analyze.Correlate(columns, o.method)
	if err != nil {
		return "", err
	}
	pairs := 0
	for i := range c.N {
		for j := range i {
			if c.N[i][j] > 0 {
				pairs++
			}
		}
	}
	if pairs == 0 { // no two members have a day in common
		_, err := w.common(columns, o.frequency)
		return "", err
	}
	var a, b []string
	var value, n []float64
	// Members that move alike are next to each other.
	order := c.ClusterOrder()
	for _, i := range order {
		for _, j := range order {
			a, b = append(a, c.Names[i]), append(b, c.Names[j])
			value, n = append(value, c.Values[i][j]), append(n, float64(c.N[i][j]))
		}
	}
	s.figure(script.Figure{Name: "correlation", Title: "Correlation", Kind: "heatmap", Table: "correlation", X: "a", Y: []string{"b", "value"}})
	return "correlation", s.table(script.Table{Name: "correlation", Columns: []script.Column{texts("a", a), texts("b", b), numbers("value", value), numbers("n", n)}})
}
