package billing

import "context"

// Spender is a key with a daily cap, in whose name work is started.
type Spender struct {
	KeyID    string
	CapCents int64 // what the key may spend in a day, in UTC
}

// CapKey is the rule that an SQL statement costs at most what its key may still spend
// on that day.
const CapKey = "key_daily_cap"

type spenderKey struct{}

// BySpender returns a context in which work counts against the cap of a key.
func BySpender(ctx context.Context, s Spender) context.Context {
	return context.WithValue(ctx, spenderKey{}, s)
}

// SpenderOf returns the key whose cap counts; false if no cap does.
func SpenderOf(ctx context.Context) (s Spender, capped bool) {
	s, capped = ctx.Value(spenderKey{}).(Spender)
	return s, capped
}
