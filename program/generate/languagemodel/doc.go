// Package languagemodel writes scripts with a language model: Anthropic's, or
// that of any server that speaks OpenAI's chat completions.
//
//	g, err := languagemodel.NewAnthropic(languagemodel.Config{Model: "claude-sonnet-5-5", Key: key})
//	draft, err := g.Generate(ctx, library, request)
//
// One generation is a conversation of at most Config.Rounds rounds. The system prompt
// is rules.md and the page of the script contract, the same for everybody. The first
// message lists what the prompt can name (the account's models, and the part of the
// catalog that matches its words), then the script to rewrite, if any, and the
// prompt. Each answer is checked like a script that a user gave; its problems are the
// next message.
//
// An answer may say the description again in the words of package grammar, which then
// reads it into the same tree and writes the same script as for anybody who uses these
// words. It is asked for first; a script is for what the words cannot say.
//
// What people wrote (prompts, names and descriptions of models, scripts) is sent
// between tags that no text can close, because each carries the hash of what it
// encloses; the rules say that nothing between them is an instruction. Nothing
// depends on the language model obeying that: its answer is a script like any other,
// which is checked and run in the sandbox.
//
// # What can go wrong
//
// Rate limits, overload, timeouts and broken connections are retried for a bounded
// time, then returned as plain errors, so that the job is tried again later.
// Everything that another attempt would not fix is a *generate.Failure: refusals,
// answers that are cut off or contain no script, scripts that break the contract in
// every round, and keys, models and addresses that the operator has to correct.
// Neither errors nor logs contain the key or prompts.
package languagemodel
