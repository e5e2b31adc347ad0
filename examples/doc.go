// Package examples holds models of the literature, a script each: fixed mixes,
// risk-based weights, momentum, trend, canaries, and a few that borrow, sell
// short or hold other models. Each says in its docstring what it does, where
// the rule comes from, and where it departs from its source.
//
//	for _, name := range examples.Names() { // "sixty_forty.py", …
//		text, err := examples.FS.ReadFile(name)
//	}
//
// They are written to be read and to be started from. README.md lists them with
// what they did on the daily bars of 21 funds; none of them is advice.
package examples
