package script

import (
	"regexp"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// longestWorded is the longest message that is compared with the interpreter's.
const longestWorded = 4 << 10 // bytes

// explained puts a message of the interpreter into the words of somebody who
// reads the script: what is wrong, what is accepted and what to write instead.
// Messages of the harness, the context and the formats are in such words already.
func explained(message string) string {
	if len(message) > longestWorded {
		return message // a text of the script's own, too long to look through
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

// ofFunction puts the name of the built-in function that has failed before a
// message that does not say it.
func ofFunction(e *starlark.EvalError) string {
	if len(e.CallStack) == 0 || !strings.HasPrefix(e.Msg, "got ") {
		return e.Msg
	}
	if top := e.CallStack.At(0); top.Pos.Filename() != fileName && isLetter(top.Name[0]) {
		return top.Name + ": " + e.Msg
	}
	return e.Msg
}

// inFunction parts a message of a built-in function from its name.
var inFunction = regexp.MustCompile(`(?s)^([a-z_]+): (.*)$`)

// wording turns one kind of message into words; say gets what raw has matched,
// and returns "" to leave the message to the wordings that follow.
type wording struct {
	raw *regexp.Regexp
	say func(m []string) string
}

func word(raw string, say func(m []string) string) wording {
	return wording{regexp.MustCompile(`(?s)^(?:` + raw + `)$`), say}
}

// constantWording needs nothing of what was matched.
func constantWording(raw, text string) wording {
	return word(raw, func([]string) string { return text })
}

// wordings are tried in order.
var wordings = []wording{
	word(`(\S+) (<|>|<=|>=) (\S+) not implemented`, comparison),
	word(`unknown binary op: (\S+) (\S+) (\S+)`, operation),
	word(`unknown unary op: (\S+) (\S+)`, func(m []string) string {
		return m[1] + " does not go before " + kindOf(m[2]) + ": it goes before a number"
	}),
	word(`(\S+) has no \.(\S+) field or method(?: \(did you mean \.(\S+)\?\))?`, missingAttribute),
	word(`can't assign to \.(\S+) field of (\S+)`, func(m []string) string {
		return kindOf(m[2]) + " has no attribute " + m[1] + " that can be set: keep the value in a name or a dictionary"
	}),
	word(`key (.+) not in dict`, func(m []string) string {
		return "the dictionary has no key " + m[1] + ": read it with d.get(key, default), or test key in d before"
	}),
	word(`key (.+) not in (\S+)`, func(m []string) string { return kindOf(m[2]) + " has no " + m[1] }),
	word(`index \S+ out of range: empty (\S+)`, func(m []string) string {
		return "the " + plainKind(m[1]) + " is empty and has no elements: test len(x) before, or take fewer"
	}),
	word(`(\S+) index (\S+) out of range \[(-?\d+):(-?\d+)\]`, func(m []string) string {
		return "the " + plainKind(m[1]) + " has no element " + m[2] + ": its indices go from " + m[3] + " to " + m[4]
	}),
	word(`(\S+) index: got (\S+), want int`, func(m []string) string {
		return "the index of " + kindOf(m[1]) + " is " + kindOf(m[2]) + ": it is an integer; int(x) makes one of a number"
	}),
	word(`unhandled index operation (\S+)\[(\S+)\]`, func(m []string) string {
		return kindOf(m[1]) + " is not read with [ ]: lists, dictionaries, vectors and strings are"
	}),
	word(`(\S+) value does not support item assignment`, func(m []string) string {
		return "the elements of " + kindOf(m[1]) + " cannot be changed: make a list(x) or a dictionary of your own and change that"
	}),
	word(`invalid slice operand (\S+)`, func(m []string) string {
		return kindOf(m[1]) + " cannot be sliced: lists, vectors, tuples and strings can"
	}),
	word(`invalid (start index|end index|slice step): got (\S+), want int`, func(m []string) string {
		return "the " + m[1] + " of a slice is " + kindOf(m[2]) + ": it is an integer; int(x) makes one of a number"
	}),
	constantWording(`zero is not a valid slice step`, "the step of a slice is 0: it is 1 or more, or negative to go backwards"),
	constantWording(`(floating-point|floored) division by zero|(integer|floating-point) modulo by zero`,
		"division by zero: test the divisor before, for example x / y if y != 0 else 0.0"),
	word(`unhashable(?: type)?: (\S+)`, func(m []string) string {
		return kindOf(m[1]) + " cannot be the key of a dictionary or an element of a set: use a string, a number or a tuple"
	}),
	word(`local variable (\S+) referenced before assignment`, func(m []string) string {
		return m[1] + " is read before it has a value: the function assigns it on another line, so it is a name of the function's own; assign it before this line on every way here"
	}),
	word(`global variable (\S+) referenced before assignment`, func(m []string) string {
		return m[1] + " is read before it is assigned: move its assignment above this line"
	}),
	word(`too (many|few) values to unpack \(got (\S+), want (\d+)\)`, func(m []string) string {
		return "the left of = has " + m[3] + " names and the right " + m[2] + " values: both need as many"
	}),
	word(`got (\S+) in sequence assignment`, func(m []string) string {
		return kindOf(m[1]) + " on the right of = cannot be taken apart into several names: a list or tuple of as many values can"
	}),
	word(`invalid call of non-function \((\S+)\)`, func(m []string) string {
		return kindOf(m[1]) + " is called like a function: write [ ] to read an element, * to multiply"
	}),
	word(`function (\S+) accepts no arguments \((\d+) given\)`, func(m []string) string {
		return m[1] + " takes no arguments, and is given " + m[2]
	}),
	word(`function (\S+) accepts (at most )?(\d+) positional arguments? \((\d+) given\)`, func(m []string) string {
		return m[1] + " takes " + m[2] + m[3] + " arguments, and is given " + m[4]
	}),
	word(`function (\S+) got multiple values for parameter (\S+)`, func(m []string) string {
		return m[1] + " is given its parameter " + strings.Trim(m[2], `"`) + " twice"
	}),
	word(`function (\S+) got an unexpected keyword argument (\S+)`, func(m []string) string {
		return m[1] + " has no parameter " + strings.Trim(m[2], `"`)
	}),
	word(`function (\S+) missing (\d+) arguments? \((.+)\)`, func(m []string) string { return m[1] + " needs " + m[3] }),
	word(`function (\S+) called recursively`, func(m []string) string { return m[1] + " calls itself, which is not part of the dialect: write a loop" }),
	constantWording(`Starlark stack overflow`, "functions call each other too deep: write a loop"),
	word(`argument #(\d+) is not iterable: (\S+)`, func(m []string) string { return "argument " + m[1] + " is " + iteration(m[2]) }),
	word(`got (\S+), want iterable`, func(m []string) string { return "is given " + iteration(m[1]) }),
	word(`for parameter \S+: got (\S+), want iterable`, func(m []string) string { return "is given " + iteration(m[1]) }),
	word(`(\S+) value is not iterable`, func(m []string) string { return iteration(m[1]) }),
	word(`got (\d+) arguments?, wants? (at most |at least |exactly )?(\d+)`, func(m []string) string {
		return "takes " + m[2] + m[3] + " " + argumentsOf(m[3]) + ", and is given " + m[1]
	}),
	word(`(\S+) got (\d+) arguments, wants (\d+)`, func(m []string) string {
		return m[1] + ": takes " + m[3] + " argument, and is given " + m[2]
	}),
	word(`missing argument for (\S+)`, func(m []string) string { return "needs " + m[1] }),
	word(`unexpected keyword argument (\S+)(?: \(did you mean (\S+)\?\))?`, func(m []string) string {
		text := "has no parameter " + strings.Trim(m[1], `"`)
		if m[2] != "" {
			text += "; did you mean " + m[2] + "?"
		}
		return text
	}),
	word(`got multiple values for keyword argument (\S+)`, func(m []string) string { return "is given " + strings.Trim(m[1], `"`) + " twice" }),
	constantWording(`unexpected keyword arguments|does not accept keyword arguments`, "takes no arguments by name"),
	word(`(\S+) does not accept keyword arguments`, func(m []string) string { return m[1] + ": takes no arguments by name" }),
	word(`requires at least one positional argument|(\S+) requires at least one positional argument`, func(m []string) string {
		if m[1] != "" {
			return m[1] + ": needs a list, or several values"
		}
		return "needs a list, or several values"
	}),
	word(`for parameter (\S+): got (\S+), want (.+)`, func(m []string) string {
		return "its argument " + strings.Trim(m[1], ":") + " is " + kindOf(m[2]) + ": it takes " + kindOf(m[3])
	}),
	word(`float got (\S+), want number or string`, func(m []string) string {
		return "float: " + kindOf(m[1]) + " is not a number: it takes a number or the text of one"
	}),
	word(`(?:float: )?invalid float literal: (.+)`, func(m []string) string { return "float: " + strconv.Quote(m[1]) + " is not the text of a number" }),
	word(`invalid literal with base (\d+): (.+)`, func(m []string) string { return strconv.Quote(m[2]) + " is not the text of an integer" }),
	constantWording(`empty string`, "the text of a number is expected, and the string is empty"),
	word(`cannot convert (float )?(infinity|NaN|\S+) to int(?:eger)?`, func(m []string) string {
		if m[1] == "" {
			m[2] = kindOf(m[2])
		}
		return m[2] + " has no integer: test the number before"
	}),
	word(`value of type (\S+) has no len`, func(m []string) string {
		return kindOf(m[1]) + " has no length: lists, dictionaries, vectors and strings do"
	}),
	word(`'in <string>' requires string as left operand, not (\S+)`, func(m []string) string {
		return "in looks for a string in a string, and not for " + kindOf(m[1]) + ": write str(x) in text"
	}),
	word(`cannot (.+) (?:list|dict|hash table|set) during iteration|cannot (.+) during iteration`, func([]string) string {
		return "what a loop goes over cannot be changed in the loop: go over list(x) instead"
	}),
	constantWording(`cannot .+ frozen .+`,
		"what stands at top level, and in the inputs, does not change from one decision to the next: change a copy, list(x) or dict(x)"),
	constantWording(`missing key`, "the dictionary has no such key: write d.pop(key, None), or test key in d before"),
	constantWording(`element not found|value not in list`, "the list has no such element: test x in list before"),
	word(`in list, want string, got (\S+)`, func(m []string) string {
		return "the list holds " + kindOf(m[1]) + ", and join joins strings: write [str(x) for x in values]"
	}),
	constantWording(`empty separator`, "the separator is empty: split() parts at spaces, list-wise access is text[i]"),
	word(`duplicate key: (.+)`, func(m []string) string { return "the key " + m[1] + " is there twice" }),
	word(`argument after \*\* must be a mapping, not (\S+)`, func(m []string) string { return "** spreads a dictionary, and not " + kindOf(m[1]) }),
	word(`argument after \* must be iterable, not (\S+)`, func(m []string) string { return "* spreads a list, and not " + kindOf(m[1]) }),
	word(`dictionary update sequence element #(\d+) (?:is not iterable|has unknown length) \((\S+)\)`, func(m []string) string {
		return "element " + m[1] + " is " + kindOf(m[2]) + ": a dictionary is made of pairs, (key, value)"
	}),
	word(`dictionary update sequence element #(\d+) has length (\d+), want 2`, func(m []string) string {
		return "element " + m[1] + " has " + m[2] + " values: a dictionary is made of pairs, (key, value)"
	}),
	constantWording(`negative shift count: .*|shift count too large: .*`, "a shift is by 0 to 511 places"),
	constantWording(`repeat count .* too large|excessive repeat .*`, "the result of * would be too long: repeat fewer times"),
	constantWording(`int too large to convert to float|floating-point number too large`, "the number is too large for a float"),
	word(`got (\S+), want (.+)`, func(m []string) string { return "is given " + kindOf(m[1]) + ", and takes " + kindOf(m[2]) }),
}

// kinds are the interpreter's types in words.
var kinds = map[string]string{
	"NoneType": "None", "int": "an integer", "float": "a number", "int or float": "a number", "iterable": "a list", "callable": "a function",
	"bool": "True or False", "string": "a string", "str": "a string", "list": "a list", "dict": "a dictionary", "tuple": "a tuple", "set": "a set",
	"function": "a function", "builtin_function_or_method": "a function", "range": "a range", "context": "the context", "inputs": "the inputs",
	"vector": "a vector", "matrix": "a matrix", "module": "a module",
}

// kindOf is a type in words, with its article.
func kindOf(name string) string {
	if kind, ok := kinds[name]; ok {
		return kind
	}
	return "a value of type " + name
}

// plainKind is a type in words without an article.
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

// comparison is about <, <=, > and >= between values that have no order.
func comparison(m []string) string {
	x, operator, y := m[1], m[2], m[3]
	text := operator + " does not compare " + kindOf(x) + " with " + kindOf(y)
	switch {
	case x == "vector" || y == "vector":
		return text + ": compare one of its values, as in v[-1] " + operator + " 0, a reduction, as in v.mean() " + operator + " 0, or each, as in [x for x in v if x " + operator + " 0]"
	case x == "NoneType" || y == "NoneType":
		return text + ": the value is missing; test it before with is not None"
	case x == "string" && isNumeric(y) || y == "string" && isNumeric(x):
		return text + ": float(x) makes a number of a string"
	case x == "builtin_function_or_method" || x == "function" || y == "builtin_function_or_method" || y == "function":
		return text + ": call the function, with ( ) after its name"
	}
	return text + ": both are numbers, or both strings, or both lists"
}

func isNumeric(kind string) bool { return kind == "int" || kind == "float" }

// operation is about an operator between values that it does not go between.
func operation(m []string) string {
	x, operator, y := m[1], m[2], m[3]
	text := operator + " does not go between " + kindOf(x) + " and " + kindOf(y)
	switch {
	case operator == "in" || operator == "not":
		return operator + " does not look in " + kindOf(y) + ": lists, dictionaries, sets, ranges and strings are looked in"
	case x == "NoneType" || y == "NoneType":
		return text + ": the value is missing; test it before with is not None"
	case operator == "+" && (x == "string" || y == "string"):
		return text + ": str(x) makes a string of a value, float(x) a number of a string"
	case operator == "+" && x == "dict" && y == "dict":
		return text + ": write a | b"
	case x == "string" && isNumeric(y) || y == "string" && isNumeric(x):
		return text + ": float(x) makes a number of a string"
	case (x == "list" || y == "list") && (operator == "*" || operator == "/" || operator == "+" || operator == "-"):
		return text + ": write it for each element, as in [x " + operator + " 2 for x in values]"
	case x == "dict" || y == "dict":
		return text + ": write it for each entry, as in {k: v " + operator + " 2 for k, v in d.items()}"
	case x == "builtin_function_or_method" || x == "function" || y == "builtin_function_or_method" || y == "function":
		return text + ": call the function, with ( ) after its name"
	}
	return text + ": both are numbers, or values that know the operator"
}

// missingAttribute is about a name after a dot.
func missingAttribute(m []string) string {
	text := kindOf(m[1]) + " has no " + m[2]
	switch {
	case m[3] != "":
		return text + "; did you mean " + m[3] + "?"
	case m[1] == "NoneType":
		return text + ": the value is missing; test it before with is not None"
	case m[1] == "dict":
		return text + ": an entry is read with d[key] or d.get(key)"
	}
	if instead := hint(m[2]); instead != "" {
		return text + ": " + instead
	}
	return text
}

// iteration is about what has no elements to go over.
func iteration(kind string) string {
	text := kindOf(kind) + ", which has no elements to go over"
	switch kind {
	case "int", "float":
		return text + ": range(n) counts, [x] is a list of one"
	case "string":
		return text + ": [x] is a list of one, text.elems() are its characters"
	case "NoneType":
		return text + ": test it before with is not None"
	}
	return text
}
