package generate

import (
	"context"
	"fmt"

	"ballast/script/dialect"
)

// Request asks for the script of a described model.
type Request struct {
	Prompt   string
	Previous string // the script being served, of a model that is rewritten, or the one that failed; "" of a new one
	Failure  string // how the last build of a model failed that serves nothing yet, "" without
	// Check runs the static checks, with the universe resolved against the catalog
	// and the caller's models. It returns no problems for a script that can be built.
	Check func(ctx context.Context, script string) ([]dialect.Problem, error)
	// Progress is told which round of generation begins, from 1; it may be nil.
	Progress func(round, rounds int)
}

// Draft is a generated script that passed its checks.
type Draft struct {
	Script    string
	Generator string // what wrote it: "grammar", or provider and model, such as "anthropic/claude-sonnet-4-5"
	Tokens    int    // read and written, over all rounds; 0 of the grammar
	Rounds    int    // asked, 1 without problems to mend
}

// Generator turns descriptions into scripts. It is safe for concurrent use.
type Generator interface {
	// Generate writes a script. It fails with a *NotUnderstood where the prompt
	// says what the generator cannot write, with a *Failure where it was tried and
	// nothing usable came of it, and with any other error where the service is at
	// fault and the same request may succeed later.
	Generate(ctx context.Context, library Library, request Request) (*Draft, error)
}

// Library is what the prompt of one account can name.
type Library interface {
	// Members looks names up in one step: symbols of the catalog in any case, and
	// ids, symbols and exact names of the account's models. Names that mean
	// nothing are left out.
	Members(ctx context.Context, names []string) (map[string]Member, error)
	// Nearest gives the most similar symbol of the catalog for each, where there is one.
	Nearest(ctx context.Context, symbols []string) (map[string]string, error)
	// Models lists the account's models, the newest first, up to a limit of the library's own.
	Models(ctx context.Context) ([]Member, error)
	// Search lists up to n assets of the catalog that have stored bars and fit the
	// words best.
	Search(ctx context.Context, words string, n int) ([]Member, error)
}

// Member is something that a model can hold.
type Member struct {
	Key         string // as a script names it: the symbol, or the id of a model whose symbol is ambiguous
	ID          string
	Symbol      string
	Name        string
	Description string // of a model
	Model       bool
	Namesakes   []string // ids of all that have the name by which it was found: models, or where Model is false an asset and a model; nil where it means one
}

// NotUnderstood says which words of a prompt meant nothing, and what would.
type NotUnderstood struct {
	Words    []Word
	Accepted []string // what the generator can write, a phrase each
}

// Word is a part of a prompt that was not understood, or names nothing.
type Word struct {
	Text       string // as written
	Offset     int    // in characters, from 0
	Length     int    // in characters, also of what Text shortens; 0 where it is about the prompt as a whole
	Message    string // what is wrong with it
	Suggestion string // the nearest word or symbol, "" without
	Member     bool   // it stands where a member is expected and names none
}

func (e *NotUnderstood) Error() string {
	if len(e.Words) == 0 {
		return "the description was not understood"
	}
	return fmt.Sprintf("the description was not understood at %q: %s", e.Words[0].Text, e.Words[0].Message)
}

// Failure says that a generator was asked and gave nothing usable.
type Failure struct {
	Message  string // for the caller: what happened and what to do
	Tokens   int    // spent all the same
	Rounds   int
	Script   string            // the last attempt, "" without
	Problems []dialect.Problem // of the last attempt
}

func (e *Failure) Error() string { return e.Message }
