package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"ballast/script"
)

// axis is an input of a model with the values that it takes, which are numbers, texts,
// truth values or lists of these.
type axis struct {
	name   string
	values []any
}

// grid is every combination of the values of its axes. The last axis varies fastest.
type grid []axis

const aGrid = `a dictionary from inputs of the model to their values, such as {"lookback": [3, 6, 12]} or {"lookback": {"from": 3, "to": 12, "step": 1}}`

// grid reads the values of inputs.
func (a *arguments) grid(parameter string) grid {
	d, ok := a.values[parameter].(*starlark.Dict)
	if !ok || d.Len() == 0 || d.Len() > script.MaxSwept {
		a.wrong(parameter, "is "+shown(a.values[parameter]), aGrid, fmt.Sprintf("1 to %d inputs", script.MaxSwept))
		return nil
	}
	var g grid
	for _, item := range d.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok || name == "" {
			a.wrong(parameter, "has the key "+shown(item[0]), "names of inputs of the model")
			return nil
		}
		if name == script.UniverseInput {
			a.wrong(parameter, "varies the universe", "other inputs: the points of a sweep read the same members")
			return nil
		}
		values, problem := valuesOf(item[1])
		if problem != "" {
			a.wrong(parameter, "has for "+name+" "+problem, `different values as a list, such as [3, 6, 12]`, `numbers as {"from": 3, "to": 12, "step": 1}`)
			return nil
		}
		g = append(g, axis{name, values})
	}
	if g.size() > mostCombinations {
		a.wrong(parameter, "has more combinations than can be numbered", "fewer values")
	}
	return g
}

// mostCombinations is how many a sample may be drawn from.
const mostCombinations = 1 << 50

// valuesOf reads the values of one input.
func valuesOf(v starlark.Value) (values []any, problem string) {
	if d, ok := v.(*starlark.Dict); ok {
		return rangeOf(d)
	}
	list, ok := v.(starlark.Sequence)
	if _, text := starlark.AsString(v); !ok || text {
		return nil, shown(v)
	}
	if list.Len() == 0 || list.Len() > script.MaxPoints {
		return nil, fmt.Sprintf("%d values", list.Len())
	}
	seen := map[string]bool{}
	it := list.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		value, ok := inputOf(x, true)
		if !ok {
			return nil, "the value " + shown(x)
		}
		if text := fmt.Sprintf("%T %v", value, value); seen[text] {
			return nil, "the value " + shown(x) + " twice"
		} else {
			seen[text] = true
		}
		values = append(values, value)
	}
	return values, ""
}

// inputOf converts a value of a script to that of an input.
func inputOf(v starlark.Value, lists bool) (any, bool) {
	switch x := v.(type) {
	case starlark.Bool:
		return bool(x), true
	case starlark.String:
		return string(x), len(x) <= script.MaxLabel
	case starlark.Int:
		n, ok := x.Int64()
		return n, ok && n >= -1<<53 && n <= 1<<53
	case starlark.Float:
		if f := float64(x); f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
			return int64(f), true // JSON does not tell 5 from 5.0
		}
		return float64(x), !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0)
	case *starlark.List:
		if !lists || x.Len() > mostKeys {
			return nil, false
		}
		out := make([]any, x.Len())
		for i := range out {
			var ok bool
			if out[i], ok = inputOf(x.Index(i), false); !ok {
				return nil, false
			}
		}
		return out, true
	}
	return nil, false
}

// rangeOf reads numbers at equal distances: from, to and step, which is 1 if it is left
// out.
func rangeOf(d *starlark.Dict) (values []any, problem string) {
	bounds := map[string]float64{"step": 1}
	for _, item := range d.Items() {
		name, _ := starlark.AsString(item[0])
		f, ok := starlark.AsFloat(item[1])
		if _, isBool := item[1].(starlark.Bool); !ok || isBool || !slices.Contains([]string{"from", "to", "step"}, name) || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Sprintf("%s %s", shown(item[0]), shown(item[1]))
		}
		bounds[name] = f
	}
	from, begun := bounds["from"]
	to, ended := bounds["to"]
	step := bounds["step"]
	if !begun || !ended || !(step > 0) || to < from {
		return nil, "a range without from, to or a positive step, or that ends before it begins"
	}
	n := math.Floor((to-from)/step+1e-9) + 1
	if n > script.MaxPoints {
		return nil, fmt.Sprintf("%.0f values", n)
	}
	for i := range int(n) {
		v := from + float64(i)*step
		// Twelve digits, so that 0.1 + 2 · 0.1 is 0.3.
		v, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
		if err != nil {
			return nil, "numbers that are too large"
		}
		if v == math.Trunc(v) && math.Abs(v) <= 1<<53 {
			values = append(values, int64(v))
		} else {
			values = append(values, v)
		}
	}
	return values, ""
}

// size is the number of combinations.
func (g grid) size() float64 {
	n := 1.0
	for _, x := range g {
		n *= float64(len(x.values))
	}
	return n
}

// names are the inputs, in order.
func (g grid) names() []string {
	names := make([]string, len(g))
	for i, x := range g {
		names[i] = x.name
	}
	return names
}

// at returns the values of one combination, counted from 0.
func (g grid) at(n uint64) []any {
	point := make([]any, len(g))
	for i := len(g) - 1; i >= 0; i-- {
		k := uint64(len(g[i].values))
		point[i] = g[i].values[n%k]
		n /= k
	}
	return point
}

// points returns all combinations, or a sample of them without repetition. The sample
// depends on the seed alone, and is in the order of the grid.
func (g grid) points(sample int, seed uint64) [][]any {
	size := uint64(g.size())
	var chosen []uint64
	if sample == 0 || uint64(sample) >= size {
		for n := range size {
			chosen = append(chosen, n)
		}
	} else { // Floyd's algorithm
		drawn := make(map[uint64]bool, sample)
		random := rand.New(rand.NewPCG(seed, 0))
		for last := size - uint64(sample); last < size; last++ {
			n := random.Uint64N(last + 1)
			if drawn[n] {
				n = last
			}
			drawn[n] = true
			chosen = append(chosen, n)
		}
		slices.Sort(chosen)
	}
	points := make([][]any, len(chosen))
	for i, n := range chosen {
		points[i] = g.at(n)
	}
	return points
}

// column writes the values of one input as a column: of numbers if all of them are,
// otherwise of texts.
func (g grid) column(name string, input int, points [][]any) script.Column {
	numeric := !slices.ContainsFunc(points, func(p []any) bool { _, ok := numberOfInput(p[input]); return !ok })
	if numeric {
		values := make([]float64, len(points))
		for i, p := range points {
			values[i], _ = numberOfInput(p[input])
		}
		return numbers(name, values)
	}
	values := make([]string, len(points))
	for i, p := range points {
		values[i] = fmt.Sprint(p[input])
	}
	return texts(name, values)
}

// described writes each point as an object of JSON, which SQL can take apart.
func (g grid) described(points [][]any) []string {
	out := make([]string, len(points))
	for i, p := range points {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		for k, x := range g {
			if k == 0 {
				b.WriteByte('{')
			} else {
				b.WriteByte(',')
			}
			// Texts, numbers, truth values and lists of these encode, and a buffer does not fail.
			_ = e.Encode(x.name)
			b.Truncate(b.Len() - 1) // Encode ends with a line break
			b.WriteByte(':')
			_ = e.Encode(p[k])
			b.Truncate(b.Len() - 1)
		}
		b.WriteByte('}')
		out[i] = b.String()
	}
	return out
}

func numberOfInput(v any) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}
