// Package examples contains models from the literature, one script each: fixed mixes,
// risk-based weights, momentum, trend, canaries, and a few that borrow, sell short or
// hold other models. Each docstring says what the model does, where its rule comes
// from, and where it departs from its source.
//
//	for _, name := range examples.Names() { // "sixty_forty.py", …
//		text, err := examples.FS.ReadFile(name)
//	}
//
// The folder simulations has plans that withdraw, save and pay for goals, and the folder
// analyses has questions about funds and models: what moves them, how they move together,
// how bad they have been.
//
// They are written to be read, and as a start for models of your own. README.md lists
// them with their results on the daily bars of 21 funds. None of them is advice.
package examples
