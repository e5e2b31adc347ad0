package generate

import (
	"context"
	"fmt"
	"time"

	"ballast/script/dialect"
)

// Request asks for the script of a described program.
type Request struct {
	Kind     string // of the program: the name of a script.Kind; "" for a model
	Prompt   string
	Now      time.Time // for descriptions of simulations that name calendar years
	Previous string    // for a rebuild: the script that is served or, if none is, the one that failed last; "" for a new model
	Failure  string    // how the last build failed, if the model serves nothing yet; may be ""
	// Check runs the static checks, and resolves the universe against the catalog and
	// the caller's models. It returns no problems for a script that can be built.
	Check func(ctx context.Context, script string) ([]dialect.Problem, error)
	// Progress is called with each round of generation as it begins, from 1; it may
	// be nil.
	Progress func(round, rounds int)
}

// Draft is a generated script that passed its checks.
type Draft struct {
	Script    string
	Generator string // what wrote it: "grammar", or provider and model, such as "anthropic/claude-sonnet-4-5"
	Tokens    int    // read and written, over all rounds; 0 for the grammar
	Rounds    int    // number of rounds; 1 if the first answer had no problems
}

// Generator turns descriptions into scripts. It is safe for concurrent use.
type Generator interface {
	// Generate writes a script. It returns a *NotUnderstood if the generator cannot
	// write what the prompt describes, a *Failure if it tried and got nothing usable,
	// and any other error if the service is at fault and the same request may succeed
	// later.
	Generate(ctx context.Context, library Library, request Request) (*Draft, error)
}

// Library looks up what the prompts of one account can name.
type Library interface {
	// Members looks up names in one step: symbols of the catalog in any case, and
	// ids, symbols and exact names of the account's models. Names that mean nothing
	// are left out.
	Members(ctx context.Context, names []string) (map[string]Member, error)
	// Nearest returns the most similar symbol in the catalog for each symbol, if
	// there is one.
	Nearest(ctx context.Context, symbols []string) (map[string]string, error)
	// Models lists the account's models, newest first, up to the library's limit.
	Models(ctx context.Context) ([]Member, error)
	// Search lists up to n assets of the catalog that have stored bars and match the
	// words best.
	Search(ctx context.Context, words string, n int) ([]Member, error)
	// Series lists the series from outside that the account can read.
	Series(ctx context.Context) ([]Series, error)
}

// Series is a series from outside, such as factors. Its columns are read as NAME.KEY.
type Series struct {
	Name      string
	Frequency string // daily, monthly
	Keys      []string
}

// Member is something that a model can hold.
type Member struct {
	Key         string // the name in a script: the symbol, or the id of a model whose symbol is ambiguous
	ID          string
	Symbol      string
	Name        string
	Description string // for a model
	Model       bool
	Namesakes   []string // ids of everything with the name that was looked up: several models or, if Model is false, an asset and a model; nil if the name is unique
}

// NotUnderstood describes which words of a prompt were not understood, and what would be.
type NotUnderstood struct {
	Words    []Word
	Accepted []string // phrases that the generator understands
}

// Word is a part of a prompt that was not understood, or that names nothing.
type Word struct {
	Text       string // as written
	Offset     int    // in characters, from 0
	Length     int    // in characters, before Text was shortened; 0 if it concerns the whole prompt
	Message    string // what is wrong with it
	Suggestion string // the nearest word or symbol; "" if there is none
	Member     bool   // a member was expected here, and it names none
}

func (e *NotUnderstood) Error() string {
	if len(e.Words) == 0 {
		return "the description was not understood"
	}
	return fmt.Sprintf("the description was not understood at %q: %s", e.Words[0].Text, e.Words[0].Message)
}

// Failure says that a generator was asked but returned nothing usable.
type Failure struct {
	Message  string // for the caller: what happened and what to do
	Tokens   int    // tokens that were used nevertheless
	Rounds   int
	Script   string            // the last attempt; "" if there was none
	Problems []dialect.Problem // problems of the last attempt
}

func (e *Failure) Error() string { return e.Message }
