// Package grammar writes models from plain English without any service: it is
// the generator that needs no key.
//
// The lexer cuts a prompt into tokens. Readings find members among the tokens, and
// forms find phrases from a fixed list. Phrases become statements, and statements
// become a Plan: a typed description of one model, checked for contradictions. Write
// turns a Plan into a script of the contract, whose docstring says in plain words
// what was understood.
//
// A description that is made of others becomes a Tree: choices by conditions, and
// blends. Its conditions are read by recursive descent over the tokens; each of its
// leaves is read as a Plan of its own. WriteTree and DescribeTree write both sides.
//
// Nothing is guessed. A word in no phrase, an unknown member, weights above 100 %
// without leverage, two statements that contradict each other: each is named with its
// place, and no script is written. The same prompt over the same catalog gives the
// same script, byte for byte.
package grammar
