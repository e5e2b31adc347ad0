package dialect

import (
	"regexp"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// longestWorded is the length of the longest message that is reworded, in
// bytes.
const longestWorded = 4 << 10

// Explained rewords a message of the interpreter for the author of the script:
// what is wrong, what is accepted and what to write instead. Messages of the
// harness, the context and the formats already say so.
func Explained(message string) string {
	if len(message) > longestWorded {
		return message // contains a text of the script itself and is too long to match
	}
	function := ""
	if m := inFunction.FindStringSubmatch(message); m != nil {
		function, message = m[1]+": ", m[2]
	}
	for _, w := range wordings {
		m := w.raw.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		if text := w.say(m); text != "" {
			return function + text
		}
	}
	return function + message
}

// OfFunction prefixes a message with the name of the built-in function that
// failed, if the message does not name it.
func OfFunction(e *starlark.EvalError) string {
	if len(e.CallStack) == 0 || !strings.HasPrefix(e.Msg, "got ") {
		return e.Msg
	}
	if top := e.CallStack.At(0); top.Pos.Filename() != FileName && IsLetter(top.Name[0]) {
		return top.Name + ": " + e.Msg
	}
	return e.Msg
}

// inFunction splits the name of a built-in function from its message.
var inFunction = regexp.MustCompile(`(?s)^([a-z_]+): (.*)$`)

// wording rewords one kind of message. say gets the submatches of raw, and
// returns "" to leave the message to the wordings that follow.
type wording struct {
	raw *regexp.Regexp
	say func(m []string) string
}

func word(raw string, say func(m []string) string) wording {
	return wording{regexp.MustCompile(`(?s)^(?:` + raw + `)$`), say}
}

// constantWording is a wording that does not depend on the submatches.
func constantWording(raw, text string) wording {
	return word(raw, func([]string) string { return text })
}

// wordings are tried in order.
var wordings = []wording{
	word(`(\S+) (<|>|<=|>=) (\S+) not implemented`, comparison),
	word(`unknown binary op: (\S+) (\S+) (\S+)`, operation),
	word(`unknown unary op: (\S+) (\S+)`, func(m []string) string {
		return m[1] + " cannot be applied to " + kindOf(m[2]) + ": write it before a number"
	}),
	word(`(\S+) has no \.(\S+) field or method(?: \(did you mean \.(\S+)\?\))?`, missingAttribute),
	word(`can't assign to \.(\S+) field of (\S+)`, func(m []string) string {
		return kindOf(m[2]) + " has no attribute " + m[1] + " that can be set: keep the value in a variable or a dictionary"
	}),
	word(`key (.+) not in dict`, func(m []string) string {
		return "the dictionary has no key " + m[1] + ": read it with d.get(key, default), or test key in d first"
	}),
	word(`key (.+) not in (\S+)`, func(m []string) string { return kindOf(m[2]) + " has no " + m[1] }),
	word(`index \S+ out of range: empty (\S+)`, func(m []string) string {
		return "the " + plainKind(m[1]) + " is empty: test len(x) first, or take fewer elements"
	}),
	word(`(\S+) index (\S+) out of range \[(-?\d+):(-?\d+)\]`, func(m []string) string {
		return "the " + plainKind(m[1]) + " has no element " + m[2] + ": its indices run from " + m[3] + " to " + m[4]
	}),
	word(`(\S+) index: got (\S+), want int`, func(m []string) string {
		return "the index of " + kindOf(m[1]) + " is " + kindOf(m[2]) + ": it must be an integer; int(x) converts a number"
	}),
	word(`unhandled index operation (\S+)\[(\S+)\]`, func(m []string) string {
		return kindOf(m[1]) + " cannot be indexed with [ ]: lists, dictionaries, vectors and strings can"
	}),
	word(`(\S+) value does not support item assignment`, func(m []string) string {
		return "the elements of " + kindOf(m[1]) + " cannot be changed: change a copy, list(x) or dict(x)"
	}),
	word(`invalid slice operand (\S+)`, func(m []string) string {
		return kindOf(m[1]) + " cannot be sliced: lists, vectors, tuples and strings can"
	}),
	word(`invalid (start index|end index|slice step): got (\S+), want int`, func(m []string) string {
		return "the " + m[1] + " of a slice is " + kindOf(m[2]) + ": it must be an integer; int(x) converts a number"
	}),
	constantWording(`zero is not a valid slice step`, "the step of a slice is 0: it must be at least 1, or negative to go backwards"),
	constantWording(`(floating-point|floored) division by zero|(integer|floating-point) modulo by zero`,
		"division by zero: test the divisor first, for example x / y if y != 0 else 0.0"),
	word(`unhashable(?: type)?: (\S+)`, func(m []string) string {
		return kindOf(m[1]) + " cannot be the key of a dictionary or an element of a set: use a string, a number or a tuple"
	}),
	word(`local variable (\S+) referenced before assignment`, func(m []string) string {
		return m[1] + " is read before it has a value: the function assigns it on another line, so it is a local name; assign it before this line on every path"
	}),
	word(`global variable (\S+) referenced before assignment`, func(m []string) string {
		return m[1] + " is read before it is assigned: move its assignment above this line"
	}),
	word(`too (many|few) values to unpack \(got (\S+), want (\d+)\)`, func(m []string) string {
		return "the left of = has " + m[3] + " names and the right " + m[2] + " values: they must match"
	}),
	word(`got (\S+) in sequence assignment`, func(m []string) string {
		return kindOf(m[1]) + " on the right of = cannot be unpacked into several names: a list or tuple of the same length can"
	}),
	word(`invalid call of non-function \((\S+)\)`, func(m []string) string {
		return kindOf(m[1]) + " cannot be called like a function: write [ ] to read an element, * to multiply"
	}),
	word(`function (\S+) accepts no arguments \((\d+) given\)`, func(m []string) string {
		return m[1] + " takes no arguments but got " + m[2]
	}),
	word(`function (\S+) accepts (at most )?(\d+) positional arguments? \((\d+) given\)`, func(m []string) string {
		return m[1] + " takes " + m[2] + m[3] + " arguments but got " + m[4]
	}),
	word(`function (\S+) got multiple values for parameter (\S+)`, func(m []string) string {
		return m[1] + " got its parameter " + strings.Trim(m[2], `"`) + " twice"
	}),
	word(`function (\S+) got an unexpected keyword argument (\S+)`, func(m []string) string {
		return m[1] + " has no parameter " + strings.Trim(m[2], `"`)
	}),
	word(`function (\S+) missing (\d+) arguments? \((.+)\)`, func(m []string) string { return m[1] + " needs " + m[3] }),
	word(`function (\S+) called recursively`, func(m []string) string { return m[1] + " calls itself, which is not part of the dialect: write a loop" }),
	constantWording(`Starlark stack overflow`, "the calls are nested too deep: write a loop"),
	word(`argument #(\d+) is not iterable: (\S+)`, func(m []string) string { return "argument " + m[1] + " is " + iteration(m[2]) }),
	word(`got (\S+), want iterable`, func(m []string) string { return "got " + iteration(m[1]) }),
	word(`for parameter \S+: got (\S+), want iterable`, func(m []string) string { return "got " + iteration(m[1]) }),
	word(`(\S+) value is not iterable`, func(m []string) string { return iteration(m[1]) }),
	word(`got (\d+) arguments?, wants? (at most |at least |exactly )?(\d+)`, func(m []string) string {
		return "takes " + m[2] + m[3] + " " + argumentsOf(m[3]) + " but got " + m[1]
	}),
	word(`(\S+) got (\d+) arguments, wants (\d+)`, func(m []string) string {
		return m[1] + ": takes " + m[3] + " argument but got " + m[2]
	}),
	word(`missing argument for (\S+)`, func(m []string) string { return "needs " + m[1] }),
	word(`unexpected keyword argument (\S+)(?: \(did you mean (\S+)\?\))?`, func(m []string) string {
		text := "has no parameter " + strings.Trim(m[1], `"`)
		if m[2] != "" {
			text += "; did you mean " + m[2] + "?"
		}
		return text
	}),
	word(`got multiple values for keyword argument (\S+)`, func(m []string) string { return "got " + strings.Trim(m[1], `"`) + " twice" }),
	constantWording(`unexpected keyword arguments|does not accept keyword arguments`, "takes no arguments by name"),
	word(`(\S+) does not accept keyword arguments`, func(m []string) string { return m[1] + ": takes no arguments by name" }),
	word(`requires at least one positional argument|(\S+) requires at least one positional argument`, func(m []string) string {
		if m[1] != "" {
			return m[1] + ": needs a list, or several values"
		}
		return "needs a list, or several values"
	}),
	word(`for parameter (\S+): got (\S+), want (.+)`, func(m []string) string {
		return "its argument " + strings.Trim(m[1], ":") + " is " + kindOf(m[2]) + ": it must be " + kindOf(m[3])
	}),
	word(`float got (\S+), want number or string`, func(m []string) string {
		return "float: " + kindOf(m[1]) + " is not a number: pass a number or a string that contains one"
	}),
	word(`(?:float: )?invalid float literal: (.+)`, func(m []string) string { return "float: " + strconv.Quote(m[1]) + " is not a number" }),
	word(`invalid literal with base (\d+): (.+)`, func(m []string) string { return strconv.Quote(m[2]) + " is not an integer" }),
	constantWording(`empty string`, "the string is empty: a number is expected"),
	word(`cannot convert (float )?(infinity|NaN|\S+) to int(?:eger)?`, func(m []string) string {
		if m[1] == "" {
			m[2] = kindOf(m[2])
		}
		return m[2] + " cannot be converted to an integer: test the value first"
	}),
	word(`value of type (\S+) has no len`, func(m []string) string {
		return kindOf(m[1]) + " has no length: lists, dictionaries, vectors and strings do"
	}),
	word(`'in <string>' requires string as left operand, not (\S+)`, func(m []string) string {
		return "in can search a string only for another string, not for " + kindOf(m[1]) + ": write str(x) in text"
	}),
	word(`cannot (.+) (?:list|dict|hash table|set) during iteration|cannot (.+) during iteration`, func([]string) string {
		return "a loop cannot change what it iterates over: iterate over list(x) instead"
	}),
	constantWording(`cannot .+ frozen .+`,
		"values at top level, in default arguments and in the inputs do not change from one decision to the next: change a copy, list(x) or dict(x)"),
	constantWording(`missing key`, "the dictionary has no such key: write d.pop(key, None), or test key in d first"),
	constantWording(`element not found|value not in list`, "the list has no such element: test x in list first"),
	word(`in list, want string, got (\S+)`, func(m []string) string {
		return "the list contains " + kindOf(m[1]) + ", but join takes strings: write [str(x) for x in values]"
	}),
	constantWording(`empty separator`, "the separator is empty: split() splits at spaces, and text[i] is one character"),
	word(`duplicate key: (.+)`, func(m []string) string { return "the key " + m[1] + " is given twice" }),
	word(`argument after \*\* must be a mapping, not (\S+)`, func(m []string) string { return "** spreads a dictionary, not " + kindOf(m[1]) }),
	word(`argument after \* must be iterable, not (\S+)`, func(m []string) string { return "* spreads a list, not " + kindOf(m[1]) }),
	word(`dictionary update sequence element #(\d+) (?:is not iterable|has unknown length) \((\S+)\)`, func(m []string) string {
		return "element " + m[1] + " is " + kindOf(m[2]) + ": dict needs pairs, (key, value)"
	}),
	word(`dictionary update sequence element #(\d+) has length (\d+), want 2`, func(m []string) string {
		return "element " + m[1] + " has " + m[2] + " values: dict needs pairs, (key, value)"
	}),
	constantWording(`negative shift count: .*|shift count too large: .*`, "the shift must be from 0 to 511 bits"),
	constantWording(`repeat count .* too large|excessive repeat .*`, "the result of * would be too long: repeat fewer times"),
	constantWording(`int too large to convert to float|floating-point number too large`, "the number is too large for a float"),
	word(`got (\S+), want (.+)`, func(m []string) string { return "got " + kindOf(m[1]) + " but takes " + kindOf(m[2]) }),
}

// kinds describe the interpreter's types in plain words.
var kinds = map[string]string{
	"NoneType": "None", "int": "an integer", "float": "a number", "int or float": "a number", "iterable": "a list", "callable": "a function",
	"bool": "True or False", "string": "a string", "str": "a string", "list": "a list", "dict": "a dictionary", "tuple": "a tuple", "set": "a set",
	"function": "a function", "builtin_function_or_method": "a function", "range": "a range", "context": "the context", "inputs": "the inputs",
	"vector": "a vector", "matrix": "a matrix", "module": "a module",
}

// kindOf describes a type, with its article.
func kindOf(name string) string {
	if kind, ok := kinds[name]; ok {
		return kind
	}
	return "a value of type " + name
}

// plainKind describes a type without its article.
func plainKind(name string) string {
	kind := kindOf(name)
	for _, article := range []string{"a ", "an ", "the "} {
		if bare, ok := strings.CutPrefix(kind, article); ok {
			return bare
		}
	}
	return kind
}

func argumentsOf(n string) string {
	if n == "1" {
		return "argument"
	}
	return "arguments"
}

// comparison explains <, <=, > and >= between values that have no order.
func comparison(m []string) string {
	x, operator, y := m[1], m[2], m[3]
	text := operator + " cannot compare " + kindOf(x) + " with " + kindOf(y)
	switch {
	case x == "vector" || y == "vector":
		return text + ": compare one of its values, as in v[-1] " + operator + " 0, a reduction, as in v.mean() " + operator + " 0, or each, as in [x for x in v if x " + operator + " 0]"
	case x == "NoneType" || y == "NoneType":
		return text + ": the value is missing; test it first with is not None"
	case x == "string" && isNumeric(y) || y == "string" && isNumeric(x):
		return text + ": float(x) converts a string to a number"
	case x == "builtin_function_or_method" || x == "function" || y == "builtin_function_or_method" || y == "function":
		return text + ": call the function, with ( ) after its name"
	}
	return text + ": both must be numbers, or both strings, or both lists"
}

func isNumeric(kind string) bool { return kind == "int" || kind == "float" }

// operation explains an operator that is not defined for its operands.
func operation(m []string) string {
	x, operator, y := m[1], m[2], m[3]
	text := operator + " cannot combine " + kindOf(x) + " and " + kindOf(y)
	switch {
	case operator == "in" || operator == "not":
		return operator + " cannot search " + kindOf(y) + ": it searches lists, dictionaries, sets, ranges and strings"
	case x == "NoneType" || y == "NoneType":
		return text + ": the value is missing; test it first with is not None"
	case operator == "+" && (x == "string" || y == "string"):
		return text + ": str(x) converts a value to a string, float(x) a string to a number"
	case operator == "+" && x == "dict" && y == "dict":
		return text + ": write a | b"
	case x == "string" && isNumeric(y) || y == "string" && isNumeric(x):
		return text + ": float(x) converts a string to a number"
	case (x == "list" || y == "list") && (operator == "*" || operator == "/" || operator == "+" || operator == "-"):
		return text + ": write it for each element, as in [x " + operator + " 2 for x in values]"
	case x == "dict" || y == "dict":
		return text + ": write it for each entry, as in {k: v " + operator + " 2 for k, v in d.items()}"
	case x == "builtin_function_or_method" || x == "function" || y == "builtin_function_or_method" || y == "function":
		return text + ": call the function, with ( ) after its name"
	}
	return text + ": both must be numbers, or types that support the operator"
}

// missingAttribute explains an unknown name after a dot.
func missingAttribute(m []string) string {
	text := kindOf(m[1]) + " has no " + m[2]
	switch {
	case m[3] != "":
		return text + "; did you mean " + m[3] + "?"
	case m[1] == "NoneType":
		return text + ": the value is missing; test it first with is not None"
	case m[1] == "dict":
		return text + ": an entry is read with d[key] or d.get(key)"
	}
	if instead := Hint(m[2]); instead != "" {
		return text + ": " + instead
	}
	return text
}

// iteration explains a value that has no elements to iterate over.
func iteration(kind string) string {
	text := kindOf(kind) + ", which cannot be iterated over"
	switch kind {
	case "int", "float":
		return text + ": write range(n) to count, or [x] for a list of one element"
	case "string":
		return text + ": write [x] for a list of one element, or text.elems() for its characters"
	case "NoneType":
		return text + ": test it first with is not None"
	}
	return text
}
