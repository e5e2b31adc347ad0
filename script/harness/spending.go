package harness

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"ballast/simulate"
)

// Payer is the context of simulate: it gives a rule's money for its path and step.
type Payer interface {
	starlark.Value
	Pay(rule simulate.Rule) (starlark.Value, error)
}

// spending are the rules of spending and saving. Each returns the money of the step.
var spending = map[string]definition{
	"contribute":             {"ctx, amount, growth=None", contribute},
	"flows":                  {"ctx, list", flows},
	"guyton_klinger":         {"ctx, rate, guard=0.2, change=0.1", guytonKlinger},
	"life_expectancy":        {"ctx, age", lifeExpectancy},
	"ratchet":                {"ctx, rate, raise_by=0.1, above=1.5", ratchet},
	"vpw":                    {"ctx, rate=0.03", vpw},
	"withdraw_fixed":         {"ctx, rate=None, amount=None", withdrawFixed},
	"withdraw_floor_ceiling": {"ctx, rate, floor, ceiling", withdrawFloorCeiling},
	"withdraw_percentage":    {"ctx, rate", withdrawPercentage},
}

// payer is the argument ctx of a rule.
type payer struct{ Payer }

// Unpack implements starlark.Unpacker.
func (p *payer) Unpack(v starlark.Value) error {
	ctx, ok := v.(Payer)
	if !ok {
		return fmt.Errorf("is a %s; the context of simulate is needed", v.Type())
	}
	p.Payer = ctx
	return nil
}

// optional is an argument that accepts a finite number or None.
type optional struct{ value *float64 }

// Unpack implements starlark.Unpacker.
func (o *optional) Unpack(v starlark.Value) error {
	if v == starlark.None {
		return nil
	}
	f, err := finite(v)
	o.value = &f
	return err
}

// pay checks a rule and returns its money.
func (c call) pay(ctx payer, rule simulate.Rule) (starlark.Value, error) {
	if err := rule.Check(); err != nil {
		return nil, c.errorf("%v", err)
	}
	return ctx.Pay(rule)
}

// withdrawFixed(ctx, rate=None, amount=None) withdraws a fraction of the start value,
// or an amount of money, a year. It rises with prices.
func withdrawFixed(c call) (starlark.Value, error) {
	var ctx payer
	var rate, amount optional
	if err := c.unpack(&ctx, &rate, &amount); err != nil {
		return nil, err
	}
	var rule simulate.Fixed
	switch {
	case rate.value != nil && amount.value == nil:
		rule.Rate = *rate.value
	case amount.value != nil && rate.value == nil:
		rule.Amount = *amount.value
	default:
		return nil, c.errorf("give either rate, a fraction of the start value a year such as 0.04, or amount, money a year")
	}
	return c.pay(ctx, rule)
}

// withdrawPercentage(ctx, rate) withdraws a fraction of the value a year.
func withdrawPercentage(c call) (starlark.Value, error) {
	var ctx payer
	var rate real
	if err := c.unpack(&ctx, &rate); err != nil {
		return nil, err
	}
	return c.pay(ctx, simulate.Percentage{Rate: float64(rate)})
}

// withdrawFloorCeiling(ctx, rate, floor, ceiling) withdraws a fraction of the value a
// year, within bounds that are fractions of the first real withdrawal.
func withdrawFloorCeiling(c call) (starlark.Value, error) {
	var ctx payer
	var rate, floor, ceiling real
	if err := c.unpack(&ctx, &rate, &floor, &ceiling); err != nil {
		return nil, err
	}
	return c.pay(ctx, simulate.FloorCeiling{Rate: float64(rate), Floor: float64(floor), Ceiling: float64(ceiling)})
}

// guytonKlinger(ctx, rate, guard=0.2, change=0.1) withdraws by the decision rules of
// Guyton and Klinger (2006).
func guytonKlinger(c call) (starlark.Value, error) {
	var ctx payer
	var rate, guard, change real
	if err := c.unpack(&ctx, &rate, &guard, &change); err != nil {
		return nil, err
	}
	return c.pay(ctx, simulate.GuytonKlinger{Rate: float64(rate), Guard: float64(guard), Change: float64(change)})
}

// vpw(ctx, rate=0.03) withdraws the payment of an annuity over the years left, at a
// real rate of return a year.
func vpw(c call) (starlark.Value, error) {
	var ctx payer
	var rate real
	if err := c.unpack(&ctx, &rate); err != nil {
		return nil, err
	}
	return c.pay(ctx, simulate.Annuity{Rate: float64(rate)})
}

// lifeExpectancy(ctx, age) withdraws the value divided by the years that the uniform
// lifetime table gives. age is the age at the start, in years.
func lifeExpectancy(c call) (starlark.Value, error) {
	var ctx payer
	var age real
	if err := c.unpack(&ctx, &age); err != nil {
		return nil, err
	}
	if age != real(math.Trunc(float64(age))) || math.Abs(float64(age)) > 1000 {
		return nil, c.errorf("age is %v; it must be a whole number of years", float64(age))
	}
	return c.pay(ctx, simulate.LifeExpectancy{Age: int(age)})
}

// ratchet(ctx, rate, raise_by=0.1, above=1.5) withdraws a fraction of the value at its
// first call a year, in real money, and raises it for good in years that begin with a
// real value above a multiple of that value.
func ratchet(c call) (starlark.Value, error) {
	var ctx payer
	var rate, raise, above real
	if err := c.unpack(&ctx, &rate, &raise, &above); err != nil {
		return nil, err
	}
	return c.pay(ctx, simulate.Ratchet{Rate: float64(rate), RaiseBy: float64(raise), Above: float64(above)})
}

// contribute(ctx, amount, growth=None) pays in an amount of money a year. It grows by
// a yearly rate, or with prices.
func contribute(c call) (starlark.Value, error) {
	var ctx payer
	var amount real
	var growth optional
	if err := c.unpack(&ctx, &amount, &growth); err != nil {
		return nil, err
	}
	return c.pay(ctx, simulate.Contribute{Amount: float64(amount), Growth: growth.value})
}

// flows(ctx, list) pays dated amounts. Each is a dictionary with first and last, years
// of the plan counted from 1, amount, money a year (positive leaves the plan), and
// real, whether it rises with prices (True unless given).
func flows(c call) (starlark.Value, error) {
	var ctx payer
	var list starlark.Value
	if err := c.unpack(&ctx, &list); err != nil {
		return nil, err
	}
	items, ok := list.(starlark.Sequence)
	if !ok {
		return nil, c.errorf("list is a %s; a list of dictionaries is needed", list.Type())
	}
	rule := make(simulate.Flows, 0, items.Len())
	it := items.Iterate()
	defer it.Done()
	var item starlark.Value
	for it.Next(&item) {
		flow, err := c.flow(len(rule), item)
		if err != nil {
			return nil, err
		}
		rule = append(rule, flow)
	}
	return c.pay(ctx, rule)
}

// flow reads one dictionary of flows.
func (c call) flow(i int, v starlark.Value) (simulate.Flow, error) {
	flow := simulate.Flow{Real: true}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return flow, c.errorf(`flow %d is a %s; it must be a dictionary such as {"first": 1, "last": 10, "amount": 12000}`, i+1, v.Type())
	}
	given := map[string]bool{}
	for _, entry := range d.Items() {
		key, _ := starlark.AsString(entry[0])
		given[key] = true
		switch key {
		case "first", "last":
			year, err := finite(entry[1])
			if err != nil || year != math.Trunc(year) || math.Abs(year) > 1000 {
				return flow, c.errorf("flow %d: %s is %s; it must be a year of the plan, a whole number from 1", i+1, key, entry[1])
			}
			if key == "first" {
				flow.First = int(year)
			} else {
				flow.Last = int(year)
			}
		case "amount":
			amount, err := finite(entry[1])
			if err != nil {
				return flow, c.errorf("flow %d: amount %v", i+1, err)
			}
			flow.Amount = amount
		case "real":
			real, ok := entry[1].(starlark.Bool)
			if !ok {
				return flow, c.errorf("flow %d: real is a %s; it must be True or False", i+1, entry[1].Type())
			}
			flow.Real = bool(real)
		default:
			return flow, c.errorf("flow %d has the key %s; it may have first, last, amount and real", i+1, entry[0])
		}
	}
	for _, key := range []string{"first", "last", "amount"} {
		if !given[key] {
			return flow, c.errorf("flow %d has no %s", i+1, key)
		}
	}
	return flow, nil
}
