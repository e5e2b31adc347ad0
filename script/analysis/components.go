package analysis

import (
	"ballast/analyze"
	"ballast/script"
)

// components are the principal components of the members' correlation.
type components struct {
	keys      []string
	frequency string
}

func newComponents(a *arguments) operation {
	return &components{keys: a.keys("keys", 2), frequency: a.frequency()}
}

func (o *components) members() []string { return o.keys }

func (o *components) run(w *window, s *sheet) (string, error) {
	columns, err := w.columnsOf(o.keys, o.frequency)
	if err != nil {
		return "", err
	}
	if _, err := w.common(columns, o.frequency); err != nil {
		return "", err
	}
	found, err := analyze.Components(columns)
	if err != nil {
		return "", err
	}
	var number, eigenvalue, share, of, loading []float64
	var key []string
	for i, c := range found {
		number, eigenvalue, share = append(number, float64(i+1)), append(eigenvalue, c.Eigenvalue), append(share, c.Share)
		for j, v := range c.Loadings {
			of, key, loading = append(of, float64(i+1)), append(key, o.keys[j]), append(loading, v)
		}
	}
	if err := s.table(script.Table{Name: "components", Columns: []script.Column{numbers("component", number), numbers("eigenvalue", eigenvalue), numbers("share", share)}}); err != nil {
		return "", err
	}
	if err := s.table(script.Table{Name: "loadings", Columns: []script.Column{numbers("component", of), texts("key", key), numbers("loading", loading)}}); err != nil {
		return "", err
	}
	s.figure(script.Figure{Name: "components", Title: "Variance that each component explains", Kind: "bar", Table: "components", X: "component", Y: []string{"share"}, YUnit: "fraction"})
	return "components", nil
}
