package script

import (
	"fmt"
	"math"
	"reflect"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// floorName stands for Python's floor division in the parsed script; no text
// can have it as a name.
const floorName = "//"

// operators are what the rewritten parts of a script call.
var operators = starlark.StringDict{floorName: starlark.NewBuiltin(floorName, floorDivision)}

// floorDivision is x // y as Python has it. The interpreter rounds the quotient
// of floats down, which is too much where the division has rounded up: 1.0 // 0.1
// is 9.0, since 0.1 is a little more than a tenth.
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

// floorDivisions has every floor division of a parsed script call floorDivision.
func floorDivisions(file *syntax.File) {
	for _, stmt := range file.Stmts {
		rewrite(reflect.ValueOf(stmt))
	}
}

// rewrite goes through a node of the syntax, its lists and its parts.
func rewrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		rewrite(v.Elem())
		if e, ok := v.Interface().(*syntax.BinaryExpr); ok && e.Op == syntax.SLASHSLASH && v.CanSet() {
			v.Set(reflect.ValueOf(floorCall(e.X, e.Y, e.OpPos)))
		}
	case reflect.Pointer:
		if v.IsNil() || !v.Type().Implements(nodeType) {
			return
		}
		if s, ok := v.Interface().(*syntax.AssignStmt); ok && s.Op == syntax.SLASHSLASH_EQ {
			s.Op, s.RHS = syntax.EQ, floorCall(read(s.LHS), s.RHS, s.OpPos)
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

// read is the target of an assignment as a value: a name is a node of its own,
// which is bound on its own.
func read(target syntax.Expr) syntax.Expr {
	if id, ok := target.(*syntax.Ident); ok {
		return &syntax.Ident{NamePos: id.NamePos, Name: id.Name}
	}
	return target
}

var nodeType = reflect.TypeFor[syntax.Node]()

// floorCall is the call in place of x // y.
func floorCall(x, y syntax.Expr, at syntax.Position) *syntax.CallExpr {
	return &syntax.CallExpr{
		Fn: &syntax.Ident{NamePos: at, Name: floorName}, Lparen: at, Args: []syntax.Expr{x, y}, Rparen: syntax.End(y),
	}
}
