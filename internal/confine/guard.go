package confine

import "strings"

// Guard is one thing that keeps a process in its place.
type Guard struct {
	Name   string `cbor:"name"`
	Active bool   `cbor:"active"`
	Detail string `cbor:"detail"` // what is kept, or why it is not
}

// Report lists the guards of a child process.
type Report []Guard

// Missing names the guards that this system does not give.
func (r Report) Missing() []string {
	var names []string
	for _, g := range r {
		if !g.Active {
			names = append(names, g.Name)
		}
	}
	return names
}

// String lists the guards, those missing with the reason.
func (r Report) String() string {
	parts := make([]string, len(r))
	for i, g := range r {
		switch {
		case !g.Active:
			parts[i] = "no " + g.Name + " (" + g.Detail + ")"
		case g.Detail != "":
			parts[i] = g.Name + " (" + g.Detail + ")"
		default:
			parts[i] = g.Name
		}
	}
	return strings.Join(parts, ", ")
}

// Note adds a guard, which does not hold where there is an error.
func (r *Report) Note(name, detail string, err error) {
	g := Guard{Name: name, Active: err == nil, Detail: detail}
	if err != nil {
		g.Detail = err.Error()
	}
	*r = append(*r, g)
}
