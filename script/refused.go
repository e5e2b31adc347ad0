package script

// refusal says what a name of Python's stands for and what to use instead.
type refusal struct {
	nondeterministic bool
	instead          string
}

const (
	insteadClock   = "a decision's day is ctx.date; there is no other clock"
	insteadChance  = "the same script must give the same result: random(seed, n) from harness looks random and repeats itself"
	insteadOutside = "a script sees its inputs and bars alone: no files, no network, no processes"
	insteadArrays  = "ctx.prices and ctx.returns are vectors with arithmetic, slices and reductions"
)

var refusedModules = map[string]refusal{
	"time": {true, insteadClock}, "datetime": {true, insteadClock}, "calendar": {true, insteadClock},
	"random": {true, insteadChance}, "secrets": {true, insteadChance}, "uuid": {true, insteadChance}, "numpy.random": {true, insteadChance},
	"os": {false, insteadOutside}, "sys": {false, insteadOutside}, "io": {false, insteadOutside}, "pathlib": {false, insteadOutside},
	"subprocess": {false, insteadOutside}, "socket": {false, insteadOutside}, "requests": {false, insteadOutside}, "urllib": {false, insteadOutside},
	"urllib.request": {false, insteadOutside}, "threading": {true, insteadOutside}, "asyncio": {true, insteadOutside},
	"numpy": {false, insteadArrays}, "pandas": {false, insteadArrays}, "scipy": {false, insteadArrays}, "polars": {false, insteadArrays},
	"statistics": {false, insteadArrays},
}

// refusedNames are names of Python's that the dialect leaves out, and names of
// the interpreter's that Python does not have.
var refusedNames = map[string]refusal{
	"time": {true, insteadClock}, "datetime": {true, insteadClock},
	"hash": {true, "its value differs from run to run in Python"},
	"id":   {true, "its value differs from run to run"},
	"open": {true, insteadOutside}, "input": {true, "inputs are declared in INPUTS and read from ctx.inputs"},
	"os": {true, insteadOutside}, "sys": {true, insteadOutside}, "socket": {true, insteadOutside}, "subprocess": {true, insteadOutside},
	"eval": {true, "a script's text is all there is to check"}, "exec": {true, "a script's text is all there is to check"},
	"compile": {true, "a script's text is all there is to check"}, "__import__": {true, insteadOutside},
	"globals": {true, "module-level names are constants"}, "locals": {true, "use a dictionary"}, "vars": {true, "use a dictionary"},
	"breakpoint": {true, "print(value) writes to the run's log"},
	"fail":       {false, "Python does not have it; return None for no trade"},
	"type":       {false, "it gives different things in Python and here"},
	"getattr":    {false, "write the attribute itself, or ctx.inputs[name]"},
	"hasattr":    {false, "write the attribute itself, or name in ctx.inputs"},
	"dir":        {false, "it gives different things in Python and here"},
	"bytes":      {false, "it gives different things in Python and here"},
	"isinstance": {false, "types are not values here; compare with None, or let the error speak"},
	"map":        {false, "write a comprehension"}, "filter": {false, "write a comprehension"},
	"np": {false, insteadArrays}, "pd": {false, insteadArrays},
}
