// Package grammar writes models from plain English without any service: it is
// the generator that needs no key.
//
// A prompt becomes tokens (lexer), the tokens readings of members (readings) and
// phrases of a fixed list (forms, phrases), the phrases statements, and the
// statements a Plan: a typed description of one model, checked for what
// contradicts itself. A Plan becomes a script of the contract (write), whose
// docstring says in plain words what was understood.
//
// Nothing is guessed. A word that is in no phrase, a member that nobody knows,
// weights that add up to more than all without leverage, two statements that
// cannot both hold: each is named, with its place, and no script is written.
// The same prompt over the same catalog gives the same script, to the byte.
package grammar
