package dialect

// Refusal says why a Python name is not available and what to use instead.
type Refusal struct {
	Nondeterministic bool
	Instead          string
}

const (
	insteadClock   = "a decision's day is ctx.date; there is no other clock"
	insteadChance  = "the same script must give the same result: random(seed, n) from harness looks random and is repeatable"
	insteadOutside = "a script sees only its inputs and bars: no files, no network, no processes"
	insteadArrays  = "ctx.prices and ctx.returns are vectors with arithmetic, slices and reductions"
)

var refusedModules = map[string]Refusal{
	"time": {true, insteadClock}, "datetime": {true, insteadClock}, "calendar": {true, insteadClock},
	"random": {true, insteadChance}, "secrets": {true, insteadChance}, "uuid": {true, insteadChance}, "numpy.random": {true, insteadChance},
	"os": {false, insteadOutside}, "sys": {false, insteadOutside}, "io": {false, insteadOutside}, "pathlib": {false, insteadOutside},
	"subprocess": {false, insteadOutside}, "socket": {false, insteadOutside}, "requests": {false, insteadOutside}, "urllib": {false, insteadOutside},
	"urllib.request": {false, insteadOutside}, "threading": {true, insteadOutside}, "asyncio": {true, insteadOutside},
	"numpy": {false, insteadArrays}, "pandas": {false, insteadArrays}, "scipy": {false, insteadArrays}, "polars": {false, insteadArrays},
	"statistics": {false, insteadArrays},
}

// RefusedNames are Python names that the dialect does not have, and names of
// the interpreter that Python does not have.
var RefusedNames = map[string]Refusal{
	"time": {true, insteadClock}, "datetime": {true, insteadClock},
	"hash": {true, "its value differs from run to run in Python"},
	"id":   {true, "its value differs from run to run"},
	"open": {true, insteadOutside}, "input": {true, "inputs are declared in INPUTS and read from ctx.inputs"},
	"os": {true, insteadOutside}, "sys": {true, insteadOutside}, "socket": {true, insteadOutside}, "subprocess": {true, insteadOutside},
	"eval": {true, "scripts cannot run code from strings"}, "exec": {true, "scripts cannot run code from strings"},
	"compile": {true, "scripts cannot run code from strings"}, "__import__": {true, insteadOutside},
	"globals": {true, "module-level names are constants"}, "locals": {true, "use a dictionary"}, "vars": {true, "use a dictionary"},
	"breakpoint": {true, "print(value) writes to the run's log"},
	"fail":       {false, "Python does not have it; return None for no trade"},
	"type":       {false, "it behaves differently in Python and in the dialect"},
	"getattr":    {false, "write the attribute itself, or ctx.inputs[name]"},
	"hasattr":    {false, "write the attribute itself, or name in ctx.inputs"},
	"dir":        {false, "it behaves differently in Python and in the dialect"},
	"bytes":      {false, "it behaves differently in Python and in the dialect"},
	"isinstance": {false, "types are not values in the dialect; compare with None instead"},
	"map":        {false, "write a comprehension"}, "filter": {false, "write a comprehension"},
	"np": {false, insteadArrays}, "pd": {false, insteadArrays},
}
