package script

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"ballast/script/dialect"
)

// literal is the value of a constant expression, with its place. Value is nil,
// bool, int64, float64, string, []literal or []entry (a dictionary, in order).
type literal struct {
	at    dialect.Place
	value any
}

type entry struct{ key, value literal }

// fold evaluates an expression made of literals, lists, tuples, dictionaries,
// signs, and + between strings or lists. Anything else is an error at its
// place.
func fold(e syntax.Expr) (literal, *foldError) {
	at := dialect.PlaceOfNode(e)
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return fold(e.X)
	case *syntax.Literal:
		switch v := e.Value.(type) {
		case string, int64, float64:
			if e.Token != syntax.BYTES {
				return literal{at, v}, nil
			}
		case *big.Int:
			f, _ := new(big.Float).SetInt(v).Float64()
			return literal{at, f}, nil
		}
	case *syntax.Ident:
		switch e.Name {
		case "None":
			return literal{at, nil}, nil
		case "True", "False":
			return literal{at, e.Name == "True"}, nil
		}
		return literal{}, &foldError{at: at, text: e.Name, message: "is a name: write the value itself", name: true}
	case *syntax.ListExpr:
		return foldList(at, e.List)
	case *syntax.TupleExpr:
		return foldList(at, e.List)
	case *syntax.DictExpr:
		return foldDict(at, e.List)
	case *syntax.UnaryExpr:
		return foldSign(at, e)
	case *syntax.BinaryExpr:
		if _, number := evaluate(e); e.Op == syntax.PLUS && !number {
			return foldPlus(at, terms(e))
		}
	}
	computed := &foldError{at: at, message: "the value is computed, but constants are read without running the script: write a literal"}
	if n, ok := evaluate(e); ok {
		computed.suggestion = strconv.FormatInt(n, 10)
	}
	return literal{}, computed
}

type foldError struct {
	at         dialect.Place
	text       string // the text that the message is about
	message    string
	suggestion string
	name       bool // text is a name in the script
}

// evaluate evaluates an expression of small integers, signs, +, - and *.
func evaluate(e syntax.Expr) (int64, bool) {
	const most = 1 << 31
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return evaluate(e.X)
	case *syntax.Literal:
		n, ok := e.Value.(int64)
		return n, ok && n < most
	case *syntax.UnaryExpr:
		n, ok := evaluate(e.X)
		return -n, ok && e.Op == syntax.MINUS
	case *syntax.BinaryExpr:
		x, ok := evaluate(e.X)
		if !ok {
			return 0, false
		}
		y, ok := evaluate(e.Y)
		var n int64
		switch e.Op {
		case syntax.PLUS:
			n = x + y
		case syntax.MINUS:
			n = x - y
		case syntax.STAR:
			n = x * y
		}
		return n, ok && n != 0 && -most < n && n < most
	}
	return 0, false
}

func (e *foldError) Error() string {
	if e.text == "" {
		return e.message
	}
	return fmt.Sprintf("%s %s", e.text, e.message)
}

// maxElements limits the length of a string or list that is joined with + in a
// constant.
const maxElements = maxArray

func foldList(at dialect.Place, exprs []syntax.Expr) (literal, *foldError) {
	list := make([]literal, len(exprs))
	for i, x := range exprs {
		v, err := fold(x)
		if err != nil {
			return literal{}, err
		}
		list[i] = v
	}
	return literal{at, list}, nil
}

func foldDict(at dialect.Place, exprs []syntax.Expr) (literal, *foldError) {
	entries := make([]entry, 0, len(exprs))
	seen := make(map[string]bool)
	for _, x := range exprs {
		d, ok := x.(*syntax.DictEntry)
		if !ok {
			return literal{}, &foldError{at: dialect.PlaceOfNode(x), message: "the value is computed: write a literal"}
		}
		k, err := fold(d.Key)
		if err != nil {
			return literal{}, err
		}
		name, ok := k.value.(string)
		if !ok {
			return literal{}, &foldError{at: k.at, message: "keys must be strings"}
		}
		if seen[name] {
			return literal{}, &foldError{at: k.at, text: fmt.Sprintf("%q", name), message: "is given twice"}
		}
		seen[name] = true
		v, err := fold(d.Value)
		if err != nil {
			return literal{}, err
		}
		entries = append(entries, entry{k, v})
	}
	return literal{at, entries}, nil
}

func foldSign(at dialect.Place, e *syntax.UnaryExpr) (literal, *foldError) {
	if e.X == nil || e.Op != syntax.MINUS && e.Op != syntax.PLUS {
		return literal{}, &foldError{at: at, message: "the value is computed: write a literal"}
	}
	v, err := fold(e.X)
	if err != nil {
		return literal{}, err
	}
	switch n := v.value.(type) {
	case int64:
		if e.Op == syntax.MINUS {
			n = -n
		}
		return literal{at, n}, nil
	case float64:
		if e.Op == syntax.MINUS {
			n = -n
		}
		return literal{at, n}, nil
	}
	return literal{}, &foldError{at: at, message: "a sign must be before a number"}
}

// terms returns the operands of a chain of +, from left to right.
func terms(e *syntax.BinaryExpr) []syntax.Expr {
	list := []syntax.Expr{e.Y}
	for {
		left, ok := e.X.(*syntax.BinaryExpr)
		if !ok || left.Op != syntax.PLUS {
			list = append(list, e.X)
			slices.Reverse(list)
			return list
		}
		e = left
		list = append(list, e.Y)
	}
}

// foldPlus joins a chain of strings, or of lists, in one pass.
func foldPlus(at dialect.Place, exprs []syntax.Expr) (literal, *foldError) {
	refused := &foldError{at: at, message: "+ joins short strings or lists in a constant; write numbers out"}
	var text strings.Builder
	var list []literal
	isText, isList := false, false
	for _, x := range exprs {
		v, err := fold(x)
		if err != nil {
			return literal{}, err
		}
		switch v := v.value.(type) {
		case string:
			isText = true
			text.WriteString(v)
		case []literal:
			isList = true
			list = append(list, v...)
		default:
			return literal{}, refused
		}
		if isText == isList || text.Len() > maxElements || len(list) > maxElements {
			return literal{}, refused
		}
	}
	if isText {
		return literal{at, text.String()}, nil
	}
	return literal{at, list}, nil
}

// plain returns the value without places: lists as []any, dictionaries as maps.
func (l literal) plain() any {
	switch v := l.value.(type) {
	case []literal:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = x.plain()
		}
		return list
	case []entry:
		m := make(map[string]any, len(v))
		for _, e := range v {
			m[e.key.value.(string)] = e.value.plain()
		}
		return m
	}
	return l.value
}

// kind names the type of a literal for messages.
func (l literal) kind() string {
	switch l.value.(type) {
	case nil:
		return "None"
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []literal:
		return "a list"
	}
	return "a dictionary"
}
