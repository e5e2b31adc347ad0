package billing

// Outcome is how metered work has ended.
type Outcome int

// The ends of work.
const (
	Done       Outcome = iota // with a result, or by the script's own failure: what was used is charged
	Superseded                // overtaken while it ran: what was used is told of and not charged
	Broken                    // by the service's failure, or before it began: nothing is charged
)

// Settlement is what the end of work makes of its hold.
type Settlement struct {
	Listed   bool  // it is an item of the billing history
	Charged  int64 // cents; the rest of the hold is released
	Billed   bool
	Cap      *Cap
	Released int64
}

// Settle says what the end of work that used units makes of the hold, which is
// nil where nothing was held: the work is then told of and not charged.
func (p Prices) Settle(outcome Outcome, units int, hold *int64) Settlement {
	held := int64(0)
	if hold != nil {
		held = *hold
	}
	if outcome == Broken || units == 0 {
		return Settlement{Released: held}
	}
	s := Settlement{Listed: true, Released: held}
	if outcome == Superseded || hold == nil {
		return s
	}
	s.Billed, s.Charged = true, p.Cents(units)
	if s.Charged > held {
		s.Charged, s.Cap = held, &Cap{Rule: CapHold, Cents: held}
	}
	s.Released = held - s.Charged
	return s
}
