package script

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"ballast/metrics"
	"ballast/timeseries"
)

// The limits of a sweep. Together they keep what an analysis has in memory below half a
// gigabyte.
const (
	MaxPoints       = 10_000     // points of one sweep
	MaxSwept        = 16         // inputs that one sweep varies
	MaxSweptReturns = 20_000_000 // daily returns of all points, before a sweep begins
	MaxSweeps       = 4          // sweeps of one analysis
	MaxKept         = 20         // points that one analysis keeps as runs
)

// Sweep is what an analysis needs before it can go on: runs of one of its member models
// with other values of the model's inputs. An analysis that calls sweep or walk_forward
// ends with the Sweep that it lacks, and is called again when the points are computed.
type Sweep struct {
	Model  string   `json:"model" cbor:"model"`   // the member, as the universe names it
	Inputs []string `json:"inputs" cbor:"inputs"` // those that vary; the others are as in the member's run
	Points [][]any  `json:"points" cbor:"points"` // a value for each of Inputs
}

// Key identifies a sweep by its content.
func (s *Sweep) Key() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("script: values of inputs do not encode: %v", err)) // they are numbers, texts, booleans and lists of these
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Values returns what a point changes about the inputs.
func (s *Sweep) Values(point int) map[string]any {
	values := make(map[string]any, len(s.Inputs))
	for i, name := range s.Inputs {
		values[name] = s.Points[point][i]
	}
	return values
}

// SweepFunction returns the function of the harness by which the script may ask for
// sweeps, or "".
func (p *Script) SweepFunction() string { return p.firstOf(p.Kind.Sweeps) }

// firstOf returns the first of the functions that the script may call, or "".
func (p *Script) firstOf(functions []string) string {
	for _, name := range functions {
		if p.Reads[name] || slices.Contains(p.Harness(), name) {
			return name
		}
	}
	return ""
}

// Swept is the result of a sweep.
type Swept struct {
	Sweep       Sweep
	BarsPerYear int // of the model
	Points      []SweptPoint
}

// SweptPoint is the run of one point. If the run failed, Error says why, and there are no
// returns.
type SweptPoint struct {
	Base    timeseries.Date // the day before the first return
	Dates   []timeseries.Date
	Returns []float64 // daily total returns
	Figures metrics.Core
	Error   string
}

// Kept is a point of a sweep that an analysis keeps.
type Kept struct {
	Sweep int `cbor:"sweep"` // in the order in which they were asked for, from 0
	Point int `cbor:"point"` // from 0
}

// Series returns the returns as a series that shares memory with the point.
func (p *SweptPoint) Series() timeseries.Series {
	return timeseries.Series{Base: p.Base, Dates: p.Dates, Returns: p.Returns}
}
