package grammar

import "fmt"

// describeRule says what a published rule holds and when.
func describeRule(plan *Plan) []string {
	rule, pool := plan.Rule, and(keysOf(plan.Pool))
	best := "the best " + fmt.Sprint(rule.Hold) + " of " + pool + ", in equal parts"
	if rule.Hold == 1 {
		best = "the best of " + pool
	}
	safe := rule.Defensive[0]
	if len(rule.Defensive) > 1 {
		safe = "the best of " + and(rule.Defensive)
	}
	const weighted = "The best are those with the highest sum of 12, 4, 2 and 1 times their returns over 21, 63, 126 and 252 sessions"
	switch rule.Kind {
	case Vigilant:
		return []string{"Holds " + best + ", while the momentum of each of them is positive; otherwise it holds " + safe + ".", weighted + ", which is their momentum."}
	case Defending:
		return []string{
			"Holds " + best + ", as far as no canary warns.",
			"Each of the canaries " + and(rule.Canary) + " whose momentum is not positive moves half of equity to " + safe + "; two move everything.",
			weighted + ", which is the momentum of the canaries as well.",
		}
	case Protected:
		return []string{
			"Holds " + best + ", of those whose prices are above their averages over 252 sessions; the best are those that are furthest above.",
			"The fewer of the members are above their averages, the more is in " + safe + " instead: with half of them or fewer, everything.",
		}
	case Hybrid:
		return []string{
			"Holds " + best + ", while the momentum of " + and(rule.Canary) + " is positive; otherwise it holds " + safe + ".",
			"Momentum is the mean of the returns over 21, 63, 126 and 252 sessions. The part of a chosen member whose momentum is not positive goes to " + safe + ".",
		}
	}
	return []string{
		"Holds " + best + ", while the momentum of each of the canaries " + and(rule.Canary) + " is positive; otherwise it holds the best 3 of " + and(rule.Defensive) + ", in equal parts.",
		"The best are those that are furthest above their averages over 252 sessions. A defensive member that is further below than " + rule.Bills + " is replaced by it.",
		"The momentum of the canaries is the sum of 12, 4, 2 and 1 times their returns over 21, 63, 126 and 252 sessions.",
	}
}
