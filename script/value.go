package script

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"ballast/catalog/series"
	"ballast/timeseries"
)

const (
	maxText  = 1000 // characters of a string input
	maxArray = 2000 // elements of an array input
)

// unfit says why a property does not accept a value.
type unfit struct {
	message    string
	accepted   []string
	suggestion string
}

// accept returns value in its canonical form: int64, float64, string, bool,
// []any or nil.
func (p *Property) accept(value any) (any, *unfit) {
	if value == nil {
		if p.Default == nil { // also true while the default itself is read
			return nil, nil
		}
		return nil, &unfit{message: "is null", accepted: []string{p.expected()}}
	}
	switch p.Type {
	case typeNumber, typeInteger:
		if _, text := value.(string); text && p.Format == seriesFormat {
			return p.acceptString(value)
		}
		return p.acceptNumber(value)
	case typeString:
		return p.acceptString(value)
	case typeBoolean:
		if b, ok := value.(bool); ok {
			return b, nil
		}
	case typeArray:
		return p.acceptArray(value)
	}
	return nil, &unfit{message: "is " + jsonKind(value), accepted: []string{p.expected()}}
}

func (p *Property) acceptNumber(value any) (any, *unfit) {
	v, ok := number(value)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, &unfit{message: "is " + jsonKind(value), accepted: []string{p.expected()}}
	}
	if p.Type == typeInteger && (v != math.Trunc(v) || math.Abs(v) > 1<<53) {
		return nil, &unfit{message: fmt.Sprintf("is %v, not an integer", v), accepted: []string{p.expected()}}
	}
	if p.Minimum != nil && v < *p.Minimum {
		return nil, &unfit{message: fmt.Sprintf("is %v, below the minimum of %v", v, *p.Minimum), accepted: []string{p.expected()}}
	}
	if p.Maximum != nil && v > *p.Maximum {
		return nil, &unfit{message: fmt.Sprintf("is %v, above the maximum of %v", v, *p.Maximum), accepted: []string{p.expected()}}
	}
	if p.Type == typeInteger {
		return int64(v), nil
	}
	return v, nil
}

func (p *Property) acceptString(value any) (any, *unfit) {
	s, ok := value.(string)
	switch {
	case !ok:
		return nil, &unfit{message: "is " + jsonKind(value), accepted: []string{p.expected()}}
	case !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxText:
		return nil, &unfit{message: fmt.Sprintf("is longer than %d characters", maxText), accepted: []string{p.expected()}}
	case p.Enum != nil && !slices.Contains(p.Enum, s):
		return nil, &unfit{message: fmt.Sprintf("is %q", s), accepted: p.Enum, suggestion: near(s, p.Enum)}
	case p.Format == "date":
		if _, err := timeseries.ParseDate(s); err != nil {
			return nil, &unfit{message: fmt.Sprintf("is %q, not a date", s), accepted: []string{p.expected()}}
		}
	case p.Format == seriesFormat:
		if _, _, ok := series.Reference(s); !ok {
			return nil, &unfit{message: fmt.Sprintf("is %q, not a column of a series", s), accepted: []string{p.expected()}}
		}
	}
	return s, nil
}

// acceptArray accepts lists of strings, of numbers or of booleans. The elements
// of the universe are checked separately.
func (p *Property) acceptArray(value any) (any, *unfit) {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		return nil, &unfit{message: "is " + jsonKind(value), accepted: []string{p.expected()}}
	}
	if v.Len() > maxArray {
		return nil, &unfit{message: fmt.Sprintf("has %d elements", v.Len()), accepted: []string{fmt.Sprintf("up to %d elements", maxArray)}}
	}
	list := make([]any, v.Len())
	kind := ""
	if d, ok := p.Default.([]any); ok && len(d) > 0 {
		kind = elementKind(d[0])
	}
	for i := range list {
		x := v.Index(i).Interface()
		if n, ok := number(x); ok && !math.IsNaN(n) && !math.IsInf(n, 0) {
			x = n
		}
		k := elementKind(x)
		if k == "" || kind != "" && k != kind {
			want := kind
			if want == "" {
				want = "string, number or boolean"
			}
			return nil, &unfit{message: fmt.Sprintf("has %s as element %d", jsonKind(x), i+1), accepted: []string{"an array of " + want}}
		}
		if p.Format == seriesFormat {
			s, _ := x.(string)
			if _, _, ok := series.Reference(s); !ok {
				return nil, &unfit{message: fmt.Sprintf("has %v as element %d, not a column of a series", x, i+1), accepted: []string{p.expected()}}
			}
		}
		kind = k
		list[i] = x
	}
	return list, nil
}

func elementKind(v any) string {
	switch v := v.(type) {
	case string:
		return typeString
	case bool:
		return typeBoolean
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return typeNumber
		}
	}
	return ""
}

// expected describes the values that a property accepts.
func (p *Property) expected() string {
	if p.Enum != nil {
		return "one of the listed strings"
	}
	text := map[string]string{
		typeNumber: "a number", typeInteger: "an integer", typeString: "a string", typeBoolean: "true or false", typeArray: "an array",
	}[p.Type]
	if p.Format == "date" {
		text = "a date written YYYY-MM-DD"
	}
	if p.Format == seriesFormat {
		text = map[string]string{typeNumber: text, typeString: seriesColumn, typeArray: "an array of columns of series, NAME.KEY"}[p.Type]
	}
	show := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	switch {
	case p.Minimum != nil && p.Maximum != nil:
		text += " from " + show(*p.Minimum) + " to " + show(*p.Maximum)
	case p.Minimum != nil:
		text += " of at least " + show(*p.Minimum)
	case p.Maximum != nil:
		text += " of at most " + show(*p.Maximum)
	}
	if p.Type == typeNumber && p.Format == seriesFormat {
		text += ", or " + seriesColumn
	}
	if p.Default == nil {
		text += ", or null"
	}
	return text
}

const seriesColumn = "a column of a series, NAME.KEY"

// number converts any numeric type that a decoder returns.
func number(v any) (float64, bool) {
	if n, ok := v.(json.Number); ok {
		f, err := n.Float64()
		return f, err == nil
	}
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
		return 0, false
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

// jsonKind describes a value in JSON's terms.
func jsonKind(v any) string {
	if n, ok := number(v); ok {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		if utf8.RuneCountInString(v) > 40 {
			v = string([]rune(v)[:40]) + "…"
		}
		return strconv.Quote(v)
	}
	if reflect.ValueOf(v).Kind() == reflect.Slice {
		return "an array"
	}
	return "an object"
}

func anySlice(s []string) []any {
	list := make([]any, len(s))
	for i, v := range s {
		list[i] = v
	}
	return list
}
