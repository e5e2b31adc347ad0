package dialect

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/script/internal/text"
)

// The names of the functions that replace Python's //, % and str.format in the
// parsed script. No script can use them as names.
const (
	floorName   = "//"
	percentName = "%"
	formatName  = ".format"
)

// Operators are the functions that the rewritten parts of a script call.
var Operators = starlark.StringDict{
	floorName:   starlark.NewBuiltin(floorName, floorDivision),
	percentName: starlark.NewBuiltin(percentName, percent),
	formatName:  starlark.NewBuiltin(formatName, format),
}

// inPlace maps binary operators to the functions that replace them.
var inPlace = map[syntax.Token]string{
	syntax.SLASHSLASH: floorName, syntax.SLASHSLASH_EQ: floorName, syntax.PERCENT: percentName, syntax.PERCENT_EQ: percentName,
}

// percent is x % y. Strings are formatted as Python does.
func percent(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	s, ok := args[0].(starlark.String)
	if !ok {
		return starlark.Binary(syntax.PERCENT, args[0], args[1])
	}
	written, err := text.Percent(string(s), args[1])
	return starlark.String(written), err
}

// format is x.format(…).
func format(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s, ok := args[0].(starlark.String)
	if !ok {
		return nil, fmt.Errorf("%s has no .format; strings do", args[0].Type())
	}
	written, err := text.Format(string(s), args[1:], kwargs)
	return starlark.String(written), err
}

// floorDivision is x // y as in Python. The interpreter rounds the float
// quotient down, which is wrong if the division rounded up: 1.0 // 0.1 is 9.0,
// since 0.1 is slightly more than a tenth.
func floorDivision(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	_, whole := args[0].(starlark.Int)
	_, wholeToo := args[1].(starlark.Int)
	x, ok := starlark.AsFloat(args[0])
	y, okToo := starlark.AsFloat(args[1])
	if whole && wholeToo || !ok || !okToo || y == 0 {
		return starlark.Binary(syntax.SLASHSLASH, args[0], args[1])
	}
	return floatOrError(floorOf(x, y))
}

// floorOf follows CPython's float_floor_div.
func floorOf(x, y float64) float64 {
	rest := math.Mod(x, y)
	quotient := (x - rest) / y
	if rest != 0 && (y < 0) != (rest < 0) {
		quotient--
	}
	if quotient == 0 {
		return math.Copysign(0, x/y)
	}
	floor := math.Floor(quotient)
	if quotient-floor > 0.5 {
		floor++
	}
	return floor
}

func floatOrError(v float64) (starlark.Value, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, fmt.Errorf("//: the result is not a finite number")
	}
	return starlark.Float(v), nil
}

// AsPython replaces the operators of a parsed script that the interpreter
// evaluates differently from Python with calls to the functions here. Few
// scripts use any, and the others are not walked.
func AsPython(file *syntax.File, read string) {
	if !strings.Contains(read, floorName) && !strings.Contains(read, percentName) && !strings.Contains(read, formatName[1:]) {
		return
	}
	for _, stmt := range file.Stmts {
		rewrite(reflect.ValueOf(stmt))
	}
}

// rewrite walks a syntax node, its lists and its fields.
func rewrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		rewrite(v.Elem())
		switch e := v.Interface().(type) {
		case *syntax.BinaryExpr:
			if name, ok := inPlace[e.Op]; ok && v.CanSet() {
				v.Set(reflect.ValueOf(call(name, e.X, e.Y, e.OpPos)))
			}
		case *syntax.CallExpr:
			if method, ok := e.Fn.(*syntax.DotExpr); ok && "."+method.Name.Name == formatName {
				e.Fn = &syntax.Ident{NamePos: method.NamePos, Name: formatName}
				e.Args = append([]syntax.Expr{method.X}, e.Args...)
			}
		}
	case reflect.Pointer:
		if v.IsNil() || !v.Type().Implements(nodeType) {
			return
		}
		if s, ok := v.Interface().(*syntax.AssignStmt); ok {
			if name, ok := inPlace[s.Op]; ok {
				s.Op, s.RHS = syntax.EQ, call(name, read(s.LHS), s.RHS, s.OpPos)
			}
		}
		rewrite(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			rewrite(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Binding" && f.Name != "Function" && f.Name != "Module" {
				rewrite(v.Field(i))
			}
		}
	}
}

// read returns the target of an assignment as a value. A name becomes a new
// node, because the resolver binds each node separately.
func read(target syntax.Expr) syntax.Expr {
	if id, ok := target.(*syntax.Ident); ok {
		return &syntax.Ident{NamePos: id.NamePos, Name: id.Name}
	}
	return target
}

var nodeType = reflect.TypeFor[syntax.Node]()

// call returns the call of a function in place of an operator.
func call(name string, x, y syntax.Expr, at syntax.Position) *syntax.CallExpr {
	return &syntax.CallExpr{
		Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: []syntax.Expr{x, y}, Rparen: syntax.End(y),
	}
}
