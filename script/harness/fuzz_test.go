package harness_test

import (
	"fmt"
	"math"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/script/harness"
)

// oddNumbers are numbers that a script may pass by mistake.
var oddNumbers = []starlark.Value{
	starlark.MakeInt(0), starlark.MakeInt(1), starlark.MakeInt(2), starlark.MakeInt(-1), starlark.MakeInt(3), starlark.MakeInt64(math.MaxInt64),
	starlark.Float(0.5), starlark.Float(-0.5), starlark.Float(1e308), starlark.Float(-1e308), starlark.Float(5e-324), starlark.Float(1e-160),
	starlark.Float(1e160), starlark.Float(1e-9), starlark.Float(math.NaN()), starlark.Float(math.Inf(1)), starlark.Float(math.Copysign(0, -1)),
	starlark.None, starlark.True, starlark.String("A"), starlark.String("ledoit_wolf"), starlark.Float(252),
}

// builder makes values from a fuzzer's bytes.
type builder struct{ rest []byte }

func (b *builder) next(below int) int {
	if len(b.rest) == 0 {
		return 0
	}
	x := int(b.rest[0])
	b.rest = b.rest[1:]
	return x % below
}

func (b *builder) number() starlark.Value {
	if b.next(3) > 0 {
		return starlark.Float(float64(b.next(256)-128) / 1000)
	}
	return oddNumbers[b.next(len(oddNumbers))]
}

func (b *builder) value(depth int) starlark.Value {
	kind := b.next(8)
	if depth == 0 && kind > 2 {
		kind = 0
	}
	switch kind {
	case 1, 2:
		return oddNumbers[b.next(len(oddNumbers))]
	case 3, 4: // a list or a vector
		list := make([]starlark.Value, b.next(6))
		for i := range list {
			list[i] = b.number()
		}
		l := starlark.NewList(list)
		f, _ := harness.Lookup("vector")
		if v, err := starlark.Call(&starlark.Thread{}, f, starlark.Tuple{l}, nil); err == nil && kind == 3 {
			return v
		}
		return l
	case 5, 6: // by symbol
		d := starlark.NewDict(3)
		for range b.next(5) {
			d.SetKey(starlark.String(member(b.next(4))), b.value(depth-1))
		}
		return d
	case 7: // a matrix
		d := starlark.NewDict(3)
		for i := range b.next(4) {
			column := make([]starlark.Value, 3)
			for t := range column {
				column[t] = b.number()
			}
			d.SetKey(starlark.String(member(i)), starlark.NewList(column))
		}
		f, _ := harness.Lookup("covariance")
		if m, err := starlark.Call(&starlark.Thread{}, f, starlark.Tuple{d}, nil); err == nil {
			if b.next(3) == 0 {
				m, _ = m.(*harness.Matrix).Unary(syntax.MINUS)
			}
			if m != nil {
				return m
			}
		}
		return d
	}
	return b.number()
}

// sound returns an error for a number in a result that is not finite.
func sound(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.Float:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("%v in the result", v)
		}
	case starlark.IterableMapping:
		for _, item := range v.Items() {
			if err := sound(item[1]); err != nil {
				return err
			}
		}
	case starlark.Sequence:
		it := v.Iterate()
		defer it.Done()
		var x starlark.Value
		for it.Next(&x) {
			if err := sound(x); err != nil {
				return err
			}
		}
	}
	return nil
}

// FuzzCalls calls any function of the harness with any arguments. It must return finite
// numbers or an error, and the same when called again.
func FuzzCalls(f *testing.F) {
	for i := range harness.Names() {
		f.Add([]byte{byte(i), 2, 3, 4, 1, 100, 1, 30, 1, 60, 1, 128, 1, 2, 0, 1})
		f.Add([]byte{byte(i), 3, 5, 3, 0, 3, 3, 1, 9, 1, 8, 1, 3, 1, 3, 3, 1, 1, 1, 200, 1, 5, 6, 2, 0, 0, 1, 60, 1, 1, 1, 9})
		f.Add([]byte{byte(i), 2, 7, 3, 1, 1, 1, 8, 1, 30, 1, 99, 1, 5, 1, 4, 1, 180, 1, 3, 1, 77, 5, 2, 0, 0, 1, 20, 1, 0, 1, 200})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := &builder{data}
		name := harness.Names()[b.next(len(harness.Names()))]
		args := make(starlark.Tuple, b.next(7))
		for i := range args {
			args[i] = b.value(2)
		}
		function, _ := harness.Lookup(name)
		first, err := starlark.Call(&starlark.Thread{}, function, args, nil)
		again, errAgain := starlark.Call(&starlark.Thread{}, function, args, nil)
		if (err == nil) != (errAgain == nil) || err == nil && first.String() != again.String() || err != nil && err.Error() != errAgain.Error() {
			t.Fatalf("%s(%v) gives %v, %v and then %v, %v", name, args, first, err, again, errAgain)
		}
		if err != nil {
			return
		}
		if err := sound(first); err != nil {
			t.Fatalf("%s(%v): %v", name, args, err)
		}
	})
}
