package limit

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"
)

// Peers carries messages between the processes of an installation.
type Peers interface {
	// Tell sends messages of at most longestMessage bytes to all processes, this one too.
	Tell(ctx context.Context, messages []string) error
	// Hear calls heard with each message until ctx is done or the connection is lost.
	Hear(ctx context.Context, heard func(message string)) error
}

const (
	// exchangeInterval is how often a process tells the others what it has given. What a
	// caller can get beyond its rate and burst is what arrives at several processes within
	// one interval.
	exchangeInterval = 250 * time.Millisecond
	tellLimit        = 2 * time.Second
	hearAgain        = time.Second

	// longestMessage and mostMessages bound what is told at a time: about 1,200 callers.
	// If there are more, those who took most are told.
	longestMessage = 7900
	mostMessages   = 4
	longestEntry   = 1 + len(Key{}) + binary.MaxVarintLen64

	// mostTallied bounds the callers counted between two exchanges.
	mostTallied = 1 << 14
)

// Exchange makes the buckets of several processes behave as one: each tells the others
// what it has given, and they take as much out of theirs. So a caller whose requests
// reach all processes is refused as by one of them. Losing messages makes the limits
// looser, never stricter.
type Exchange struct {
	peers Peers
	log   *slog.Logger
	self  [8]byte
	of    []*Buckets
}

// NewExchange returns an exchange over peers.
func NewExchange(peers Peers, log *slog.Logger) *Exchange {
	e := &Exchange{peers: peers, log: log}
	_, _ = rand.Read(e.self[:]) // never fails
	return e
}

// Share adds buckets, before Run. All processes must share the same ones in the same
// order; nil keeps the place of buckets without a limit. A nil Exchange shares nothing.
func (e *Exchange) Share(buckets ...*Buckets) {
	if e == nil {
		return
	}
	for _, b := range buckets {
		if b != nil {
			b.given = &tally{}
		}
		e.of = append(e.of, b)
	}
}

// Run exchanges until ctx is done.
func (e *Exchange) Run(ctx context.Context) {
	var hearing sync.WaitGroup
	hearing.Go(func() { e.hear(ctx) })
	defer hearing.Wait()
	tick := time.NewTicker(exchangeInterval)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		messages := e.messages()
		if len(messages) == 0 {
			continue
		}
		telling, cancel := context.WithTimeout(ctx, tellLimit)
		err := e.peers.Tell(telling, messages)
		cancel()
		if err != nil && !failing && ctx.Err() == nil {
			e.log.WarnContext(ctx, "the other services do not learn who has used up a rate limit here", "error", err)
		}
		failing = err != nil
	}
}

func (e *Exchange) hear(ctx context.Context) {
	for ctx.Err() == nil {
		err := e.peers.Hear(ctx, func(message string) { e.heard(message, time.Now()) })
		if ctx.Err() != nil {
			return
		}
		e.log.WarnContext(ctx, "lost the connection that tells who has used up a rate limit elsewhere", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(hearAgain):
		}
	}
}

// messages returns what was given since the last call. A message has the sender, then
// per caller the number of its buckets, its key and the tokens, in base64.
func (e *Exchange) messages() []string {
	type use struct {
		of     byte
		key    Key
		tokens int
	}
	var uses []use
	for i, b := range e.of {
		if b == nil {
			continue
		}
		for key, n := range b.given.drain() {
			uses = append(uses, use{byte(i), key, n})
		}
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(b.tokens, a.tokens) })
	var messages []string
	message := append([]byte(nil), e.self[:]...)
	for _, u := range uses {
		if base64.RawStdEncoding.EncodedLen(len(message)+longestEntry) > longestMessage {
			messages = append(messages, base64.RawStdEncoding.EncodeToString(message))
			message = message[:len(e.self)]
			if len(messages) == mostMessages {
				return messages
			}
		}
		message = append(append(message, u.of), u.key[:]...)
		message = binary.AppendUvarint(message, uint64(u.tokens))
	}
	if len(message) > len(e.self) {
		messages = append(messages, base64.RawStdEncoding.EncodeToString(message))
	}
	return messages
}

// heard takes the tokens that another process has given out of the buckets of this one.
// The rest of a message that it does not understand, which a later version may have
// sent, is left out.
func (e *Exchange) heard(message string, now time.Time) {
	text, err := base64.RawStdEncoding.DecodeString(message)
	if err != nil || len(text) < len(e.self) || [8]byte(text) == e.self {
		return
	}
	for text = text[len(e.self):]; len(text) > 1+len(Key{}); {
		of, key := int(text[0]), Key(text[1:])
		tokens, n := binary.Uvarint(text[1+len(Key{}):])
		if n <= 0 || of >= len(e.of) {
			return
		}
		text = text[1+len(Key{})+n:]
		if b := e.of[of]; b != nil {
			b.spend(key, int(min(tokens, math.MaxInt32)), now)
		}
	}
}

// tally counts the tokens that callers were given. A nil tally counts nothing.
type tally struct {
	mu   sync.Mutex
	each map[Key]int
}

func (t *tally) add(k Key, n int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.each == nil {
		t.each = map[Key]int{}
	}
	if _, ok := t.each[k]; ok || len(t.each) < mostTallied {
		t.each[k] += n
	}
}

// drain returns the counts and starts again.
func (t *tally) drain() map[Key]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	each := t.each
	t.each = nil
	return each
}
