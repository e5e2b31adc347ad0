// Package fair shares a bounded number of places among accounts, so that the
// queue of one account does not delay another.
//
//	shares := fair.New(fair.Size{Places: 2, Most: 4, Long: 3})
//	place, err := shares.Take(ctx, fair.Claim{Account: account})
//	defer place.Give()
//
// A free place goes to the account that holds the fewest, among those to the one
// whose last place was longest ago. Beyond the regular places there are extra ones, which
// only accounts that hold none may take. Where even those are taken, work that
// has said that it is slow (Place.Slow) is asked to leave (Place.Asked) for an
// account that holds none, and comes back with a claim that says that it is long.
// Long work is not asked again, and never takes all places: so work of any number
// of accounts, however long, leaves a place that a short piece of work of a further
// account gets as soon as the short work before it has ended or become slow.
package fair
