package bench

import "context"

// Row is a promise and how it is measured.
type Row struct {
	Name    string // for people
	Key     string // for benchstat: CamelCase, without spaces
	Bar     string // the promise in words, "" if the row has none
	Limits  []Limit
	Measure func(ctx context.Context) (Result, error)
}

// Limit limits one figure of a row. A limit of 0 is no limit.
type Limit struct {
	Figure string
	Most   float64 // in the figure's unit
	Least  float64
}

// Figure is one measured value.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // ms, µs, ns, MB (10^6 bytes), requests/s, listings/s, %, ppb, or × for a ratio
}

// Result is what a row measured, or why it could not be measured on this machine.
type Result struct {
	Figures []Figure
	Note    string // what the figures stand for: clients, sizes, samples
	Skipped string // the reason; no figures then
}

// Figure returns the value of the figure called name.
func (r Result) Figure(name string) (value float64, ok bool) {
	for _, f := range r.Figures {
		if f.Name == name {
			return f.Value, true
		}
	}
	return 0, false
}

// Holds reports whether every figure with a limit was measured and is within it.
func (r Result) Holds(limits []Limit) bool {
	for _, l := range limits {
		v, ok := r.Figure(l.Figure)
		if !ok || l.Most != 0 && v > l.Most || l.Least != 0 && v < l.Least {
			return false
		}
	}
	return true
}
