package languagemodel

import "context"

// provider asks one language model once.
type provider interface {
	// complete returns the answer to a conversation. Its errors are those of the
	// transport and the SDK; trouble interprets them.
	complete(ctx context.Context, system string, turns []turn) (*reply, error)
}

// turn is one message of a conversation.
type turn struct {
	answer bool // written by the language model
	text   string
}

// reply is an answer as it was received.
type reply struct {
	text   string
	tokens int // read and written
	ending ending
	reason string // why it was refused, if the provider says so
}

// ending is why an answer ended.
type ending string

const (
	finished ending = "finished"
	cut      ending = "cut"     // the limit of tokens was reached
	refused  ending = "refused" // the model or a filter of its provider declined
)

// count adds token counts. Negative or absurd values from a server are bounded.
func count(counts ...int64) int {
	const most = 1 << 30
	total := int64(0)
	for _, n := range counts {
		total += min(max(n, 0), most)
	}
	return int(total)
}
