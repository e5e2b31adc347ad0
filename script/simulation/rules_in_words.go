package simulation

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script"
	"ballast/script/harness"
)

// arguments are those of a rule's call. A parameter without an argument has its default.
type arguments struct{ script.Call }

// number returns a numeric argument; false for None.
func (a arguments) number(name string) (float64, bool) {
	v, given := a.Arguments[name]
	if given {
		x, ok := v.(float64)
		return x, ok
	}
	for _, p := range harness.Signature(a.Function).Parameters {
		if p.Name == name {
			return starlark.AsFloat(p.Default)
		}
	}
	return 0, false
}

func (a arguments) percent(name string) string {
	v, _ := a.number(name)
	return percent(v)
}

// ruleInWords says what a rule pays.
func ruleInWords(call script.Call, start float64) []string {
	a := arguments{call}
	rate, hasRate := a.number("rate")
	money, _ := a.number("amount")
	switch {
	case call.Unknown:
	case call.Function == "withdraw_fixed" && hasRate:
		return []string{fmt.Sprintf("%s of the start value, %s, is withdrawn a year, rising with prices.", percent(rate), amount(rate*start))}
	case call.Function == "withdraw_fixed":
		return []string{fmt.Sprintf("%s is withdrawn a year, rising with prices.", amount(money))}
	case call.Function == "withdraw_percentage":
		return []string{fmt.Sprintf("%s of the value is withdrawn a year.", percent(rate))}
	case call.Function == "withdraw_floor_ceiling":
		return []string{fmt.Sprintf("%s of the value is withdrawn a year, but in prices of the start at least %s and at most %s of the first withdrawal.", percent(rate), a.percent("floor"), a.percent("ceiling"))}
	case call.Function == "guyton_klinger":
		guard, _ := a.number("guard")
		return []string{
			fmt.Sprintf("%s of the start value, %s, is withdrawn in the first year. It rises with prices, but not after a year with a loss in which it takes a larger part of the value than at first.", percent(rate), amount(rate*start)),
			fmt.Sprintf("It is cut by %s where it takes more than %s times the first rate, except in the last 15 years, and raised by as much where it takes less than %s times that rate (Guyton and Klinger 2006).", a.percent("change"), decimals(1+guard, 4), decimals(1-guard, 4)),
		}
	case call.Function == "vpw":
		return []string{fmt.Sprintf("The withdrawal is the payment of an annuity over the years left, at a real rate of %s a year.", percent(rate))}
	case call.Function == "life_expectancy":
		age, _ := a.number("age")
		return []string{fmt.Sprintf("The withdrawal of a year is the value divided by the years that the uniform lifetime table of the United States gives, from age %s at the start.", decimals(age, 0))}
	case call.Function == "ratchet":
		above, _ := a.number("above")
		return []string{fmt.Sprintf("%s of the start value, %s, is withdrawn a year, rising with prices. It is raised by %s for good in years that begin with a real value above %s times the start value.", percent(rate), amount(rate*start), a.percent("raise_by"), decimals(above, 4))}
	case call.Function == "contribute":
		growth, fixed := a.number("growth")
		switch {
		case !fixed:
			return []string{fmt.Sprintf("%s is paid in a year, rising with prices.", amount(money))}
		case growth == 0:
			return []string{fmt.Sprintf("%s is paid in a year.", amount(money))}
		}
		return []string{fmt.Sprintf("%s is paid in in the first year, and %s more each year.", amount(money), percent(growth))}
	case call.Function == "flows":
		if list, ok := flowsInWords(call.Arguments["list"]); ok {
			return list
		}
	}
	return []string{fmt.Sprintf("The rule %s decides, with arguments that the script computes.", call.Function)}
}

// flowsInWords says when dated amounts are paid; false if they are not what flows
// accepts.
func flowsInWords(v any) ([]string, bool) {
	list, ok := v.([]any)
	var sentences []string
	for _, item := range list {
		flow, isFlow := item.(map[string]any)
		first, hasFirst := flow["first"].(float64)
		last, hasLast := flow["last"].(float64)
		money, hasAmount := flow["amount"].(float64)
		if ok = ok && isFlow && hasFirst && hasLast && hasAmount; !ok {
			return nil, false
		}
		when := fmt.Sprintf("In the years %s to %s of the plan", decimals(first, 0), decimals(last, 0))
		if first == last {
			when = fmt.Sprintf("In year %s of the plan", decimals(first, 0))
		}
		way := "leaves"
		if money < 0 {
			way, money = "comes in", -money
		}
		each := " a year"
		if first == last {
			each = ""
		}
		rising := ", rising with prices"
		if fixed, given := flow["real"]; given && fixed == false {
			rising = ""
		}
		sentences = append(sentences, fmt.Sprintf("%s, %s %s%s%s.", when, amount(money), way, each, rising))
	}
	return slices.Clip(sentences), ok && len(sentences) > 0
}
