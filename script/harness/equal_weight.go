package harness

import "go.starlark.net/starlark"

// equal_weight(symbols, total=1.0) gives each of n symbols the weight total/n, or
// {} for no symbols.
func equalWeight(c call) (starlark.Value, error) {
	var symbols starlark.Iterable
	var total real
	if err := c.unpack(&symbols, &total); err != nil {
		return nil, err
	}
	var list []starlark.Value
	it := symbols.Iterate()
	defer it.Done()
	var s starlark.Value
	for it.Next(&s) {
		if _, ok := s.(starlark.String); !ok {
			return nil, c.errorf("symbols contains a %s; it must contain only symbols", s.Type())
		}
		list = append(list, s)
	}
	each := float64(total) / float64(len(list))
	d := starlark.NewDict(len(list))
	for _, s := range list {
		if _, twice, _ := d.Get(s); twice {
			return nil, c.errorf("%s is listed twice", s)
		}
		if err := d.SetKey(s, starlark.Float(each)); err != nil {
			return nil, err
		}
	}
	return d, nil
}
