package script

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/script/internal/text"
)

// builtins are Python functions that the interpreter lacks, and its own
// functions that would not count the steps they take.
var builtins = charged(starlark.StringDict{
	"sum":   starlark.NewBuiltin("sum", builtinSum),
	"round": starlark.NewBuiltin("round", builtinRound),
	"pow":   starlark.NewBuiltin("pow", builtinPow),
	"str":   starlark.NewBuiltin("str", written(text.Str)),
	"repr":  starlark.NewBuiltin("repr", written(text.Repr)),
	"print": starlark.NewBuiltin("print", builtinPrint),
})

// builtinSum adds the elements to start, from first to last.
func builtinSum(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var items starlark.Iterable
	var total starlark.Value = starlark.MakeInt(0)
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "iterable", &items, "start?", &total); err != nil {
		return nil, err
	}
	it := items.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		if _, ok := x.(starlark.String); ok {
			return nil, errors.New(`sum: strings are joined with "".join(list)`)
		}
		next, err := starlark.Binary(syntax.PLUS, total, x)
		if err != nil {
			return nil, fmt.Errorf("sum: %w", err)
		}
		total = next
	}
	return total, nil
}

// written returns a built-in function that formats one value as a string.
func written(as func(starlark.Value) string) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var x starlark.Value
		if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &x); err != nil {
			return nil, err
		}
		return starlark.String(as(x)), nil
	}
}

// builtinPrint writes its values to the run's log.
func builtinPrint(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	separator := " "
	if err := starlark.UnpackArgs(b.Name(), nil, kwargs, "sep?", &separator); err != nil {
		return nil, err
	}
	words := make([]string, len(args))
	for i, x := range args {
		words[i] = text.Str(x)
	}
	thread.Print(thread, strings.Join(words, separator))
	return starlark.None, nil
}

// builtinRound rounds halves to even: to an integer, or to ndigits decimals if
// they are given.
func builtinRound(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, digits starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "number", &x, "ndigits?", &digits); err != nil {
		return nil, err
	}
	f, ok := starlark.AsFloat(x)
	if !ok {
		return nil, fmt.Errorf("round: got %s, want a number", x.Type())
	}
	whole, isInt := x.(starlark.Int)
	if digits == nil || digits == starlark.None {
		if isInt {
			return whole, nil
		}
		return starlark.NumberToInt(starlark.Float(math.RoundToEven(f)))
	}
	n, err := starlark.AsInt32(digits)
	if err != nil || n < 0 || n > 300 {
		return nil, fmt.Errorf("round: ndigits is %s; it must be an integer from 0 to 300", digits)
	}
	if isInt {
		return whole, nil
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', n, 64), 64)
	return starlark.Float(r), err
}

const maxPower = 4096 // bits

// builtinPow returns x to the power of y: an integer if both are integers and y
// is at least 0, else a float.
func builtinPow(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var x, y starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "base", &x, "exp", &y); err != nil {
		return nil, err
	}
	base, whole := x.(starlark.Int)
	power, wholePower := y.(starlark.Int)
	if whole && wholePower && power.Sign() >= 0 {
		n, fits := power.Int64()
		if !fits || n*int64(base.BigInt().BitLen()) > maxPower || n > maxPower {
			return nil, fmt.Errorf("pow: %s to the power of %s is too large; write it with a float", x, y)
		}
		return starlark.MakeBigInt(new(big.Int).Exp(base.BigInt(), big.NewInt(n), nil)), nil
	}
	f, ok := starlark.AsFloat(x)
	g, okToo := starlark.AsFloat(y)
	if !ok || !okToo {
		return nil, fmt.Errorf("pow: got %s and %s, want numbers", x.Type(), y.Type())
	}
	r := math.Pow(f, g)
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return nil, fmt.Errorf("pow: %v to the power of %v is not a finite number", f, g)
	}
	return starlark.Float(r), nil
}
