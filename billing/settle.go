package billing

// Outcome is how metered work ended.
type Outcome int

// The outcomes.
const (
	Done       Outcome = iota // with a result, or because the script failed: the usage is charged
	Superseded                // another run was published meanwhile: the usage is listed and not charged
	Broken                    // because of the service, or before it began: nothing is listed or charged
)

// Settlement describes what becomes of a hold when its work ends.
type Settlement struct {
	Listed   bool  // the usage is an item of the billing history
	Charged  int64 // cents; the rest of the hold is released
	Billed   bool
	Cap      *Cap
	Released int64
}

// Settle returns what becomes of a hold, in cents, when its work has used the given
// units. If nothing was held, hold is nil, and the work is listed and not charged.
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
