package series

// Local returns the columns of a post by NAME.KEY in upper case, for commands that read
// files and have no store. Without a kind, any finite value is accepted.
// fault.InvalidBody.
func (p *Post) Local() (map[string]*Values, error) {
	t, err := p.prepared(p.Frequency, p.Kind)
	if err != nil {
		return nil, err
	}
	of := &Series{Name: p.Name, Frequency: p.Frequency, Kind: p.Kind, Columns: t.describe(), Rows: len(t.Dates)}
	if p.Lag != nil {
		of.Lag = *p.Lag
	}
	columns := make(map[string]*Values, len(t.Keys))
	for i, key := range t.Keys {
		v := &Values{Of: of, Key: key}
		v.Dates, v.Values = t.values(i)
		columns[Fold(v.Name())] = v
	}
	return columns, nil
}
