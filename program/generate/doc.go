// Package generate turns descriptions of models into scripts.
//
// A Generator writes one script for one prompt. The caller checks, stores and runs it
// like a script that a user gave. There are three generators: the built-in grammar,
// which needs no key, writes only what it fully understands and guesses nothing; a
// client of Anthropic; and a client of any server that speaks OpenAI's protocol.
package generate
