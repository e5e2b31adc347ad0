package languagemodel

import "context"

// provider asks one language model once.
type provider interface {
	// complete gives the answer to a conversation. Its errors are what the
	// transport and the SDK give; trouble reads them.
	complete(ctx context.Context, system string, turns []turn) (*reply, error)
}

// turn is one message of a conversation.
type turn struct {
	answer bool // the language model said it
	text   string
}

// reply is an answer as it came.
type reply struct {
	text   string
	tokens int // read and written
	ending ending
	reason string // why it was refused, where the provider says so
}

// ending is why an answer ends.
type ending string

const (
	finished ending = "finished"
	cut      ending = "cut"     // no more tokens were allowed
	refused  ending = "refused" // the model or a filter of its provider declined
)

// count adds token counts; a server's nonsense counts as none.
func count(counts ...int64) int {
	const most = 1 << 30
	total := int64(0)
	for _, n := range counts {
		total += min(max(n, 0), most)
	}
	return int(total)
}
