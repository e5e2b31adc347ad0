// Package fair shares a bounded number of places among accounts, so that the
// queue of one account does not delay another.
//
//	shares := fair.New(fair.Size{Places: 2, Most: 4, Long: 3})
//	place, err := shares.Take(ctx, fair.Claim{Account: account})
//	defer place.Give()
//
// A free place goes to the account that holds the fewest places and, among equals, to
// the one that got its last place longest ago. Beyond the regular places there are
// extra ones, which only accounts that hold no place may take. When these are taken
// too and an account without a place waits, work that has declared itself slow
// (Place.Slow) is asked to leave (Place.Asked). It comes back with a claim that is
// marked as long. Long work is not asked to leave again, and never takes all places.
// So however many accounts have long work, one place is left for short work: a
// further account gets it as soon as the short work before it has ended or become
// slow.
package fair
