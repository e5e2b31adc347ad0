// Package generate turns descriptions of models into scripts.
//
// A Generator writes one script for one prompt; the caller checks, stores and
// runs it as if it had been given. There are three: the built-in grammar, which
// needs no key, writes what it fully understands and guesses nothing; a client
// of Anthropic; and a client of any server that speaks OpenAI's protocol.
package generate
