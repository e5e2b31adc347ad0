package confine

import "strings"

// Guard is one mechanism that confines a process.
type Guard struct {
	Name   string `cbor:"name"`
	Active bool   `cbor:"active"`
	Detail string `cbor:"detail"` // what the guard does, or why it is missing
}

// Report lists the guards of a child process.
type Report []Guard

// Missing returns the names of the guards that this system does not have.
func (r Report) Missing() []string {
	var names []string
	for _, g := range r {
		if !g.Active {
			names = append(names, g.Name)
		}
	}
	return names
}

// String lists the guards, and for missing ones the reason.
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

// Note adds a guard. If err is not nil, the guard is missing for that reason.
func (r *Report) Note(name, detail string, err error) {
	g := Guard{Name: name, Active: err == nil, Detail: detail}
	if err != nil {
		g.Detail = err.Error()
	}
	*r = append(*r, g)
}
