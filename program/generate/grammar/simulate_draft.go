package grammar

import (
	"fmt"
	"math"
)

// future is what has been understood so far of a simulation.
type future struct {
	year      int  // the current calendar year
	simulates bool // something was said that belongs to simulations alone

	payments []payment
	phases   []duration // how long each phase lasts, as far as it was said
	method   said[Rule] // a rule by name
	floor    said[limit]
	ceiling  said[limit]
	guard    said[float64]
	change   said[float64]
	verb     said[bool] // spending or saving without an amount

	start     said[float64]
	goal      said[float64]
	age       said[int]
	endAge    said[int]
	endYear   said[int]
	success   said[float64]
	spending  said[bool] // how much can be spent was asked
	lasting   said[bool] // how long it lasts was asked
	retires   bool
	purpose   said[string] // a college fund
	source    said[string]
	paths     said[int]
	seed      said[int]
	block     said[float64]
	inflate   said[float64]
	prices    said[string] // the series that inflation is from
	fee       said[float64]
	since     said[int]
	often     said[string] // how often the rule decides
	rebalance said[string]
	random    said[bool] // drawn at random: Monte Carlo
	past      said[bool] // historical returns, which can mean two sources
	unreal    *said[bool]
	glide     said[glideWords]
}

// duration is how long a phase lasts.
type duration struct{ said[float64] }

// limit is a floor or a ceiling: a fraction of the first withdrawal, or money a year.
type limit struct {
	value float64
	money bool
}

// glideWords is a glide path as it was said: shares of one member, or two ratios.
type glideWords struct {
	member   reading
	from, to []float64
	years    float64 // 0 if it takes the whole plan
}

// direction is whether a payment leaves the plan.
type direction int

const (
	unsaidDirection direction = iota
	leaves
	comesIn
)

// payment is money that moves, as it was said.
type payment struct {
	way     direction
	rate    float64 // a year, of base
	base    base
	amount  float64 // money, each time
	perYear float64 // times a year; 0 if it was not said, or once
	once    bool
	real    said[bool]
	growth  *float64
	first   *point
	last    *point
	length  float64 // years from first on
	about   string
	phase   int
	m       match
}

func (x *payment) dated() bool { return x.first != nil || x.once }

// yearly is the payment's money a year.
func (x *payment) yearly() float64 { return cents(x.amount * max(x.perYear, 1)) }

// cents rounds what multiplying has made of money and rates.
func cents(v float64) float64 { return math.Round(v*1e9) / 1e9 }

// phase is the number of the phase that is being described.
func (f *future) phase() int { return max(0, len(f.phases)-1) }

// last returns the duration of the phase that is being described.
func (f *future) current() *duration {
	if len(f.phases) == 0 {
		f.phases = append(f.phases, duration{})
	}
	return &f.phases[len(f.phases)-1]
}

// pay adds a payment.
func (p *parser) pay(x payment, m match) {
	f := p.future
	f.simulates = true
	x.m, x.phase = m, f.phase()
	switch {
	case x.amount < 0 || x.rate < 0 || x.amount > 1e15:
		p.refuse(m.from, m.to, "", "an amount is above 0 and up to 10^15")
		return
	case x.amount == 0 && x.rate == 0:
		p.refuse(m.from, m.to, "", "nothing is paid here: leave it out, or say how much")
		return
	case x.rate > 1:
		p.refuse(m.from, m.to, "", "a rate is above 0 % and up to 100 %")
		return
	}
	if f.unreal != nil {
		if !x.real.there {
			x.real = *f.unreal
		}
		f.unreal = nil
	}
	f.payments = append(f.payments, x)
}

// paymentOf reads the values that all forms of payments share.
func (p *parser) paymentOf(m match) payment {
	x := payment{
		rate: get[float64](m.captures, "pct"), base: get[base](m.captures, "base"), amount: get[float64](m.captures, "money"),
		perYear: get[float64](m.captures, "per"), length: get[float64](m.captures, "length"), once: m.has("once"),
	}
	if m.has("real") {
		x.real = said[bool]{get[bool](m.captures, "real"), m.from, m.to, true}
	}
	if m.has("growth") {
		g := get[float64](m.captures, "growth")
		x.growth = &g
	}
	if m.has("inflation") {
		p.say(&p.future.inflate, get[float64](m.captures, "inflation"), m, "inflation")
	}
	if m.has("prices") {
		p.sayPrices(m)
	}
	if m.has("first") {
		v := get[point](m.captures, "first")
		x.first = &v
	}
	if m.has("last") {
		v := get[point](m.captures, "last")
		if x.first != nil && !v.calendar {
			v.age = x.first.age
		}
		if x.first != nil && x.first.calendar != v.calendar {
			p.refuse(m.from, m.to, "", "from when to when? Say calendar years, such as from 2034 to 2038, or years of the plan, such as from year 10 to year 20")
		}
		x.last = &v
	}
	return x
}

// say stores a number once.
func (p *parser) say(s *said[float64], v float64, m match, what string) {
	p.future.simulates = true
	once(p, s, v, m, what)
}

// sayPrices stores the series that inflation is from.
func (p *parser) sayPrices(m match) {
	p.future.simulates = true
	once(p, &p.future.prices, get[string](m.captures, "prices"), m, "inflation")
}

// within refuses a number outside of its bounds.
func (p *parser) within(m match, v, least, most float64, message string) bool {
	if v >= least && v <= most {
		return true
	}
	p.refuse(m.from, m.to, "", message)
	return false
}

// planYear converts a point to a year of the plan. starts reports that the point
// begins something, so that the age of 67 is the year that begins with it.
func (p *parser) planYear(x *point, m match, starts bool) int {
	f := p.future
	n := x.value
	switch {
	case x.calendar:
		if n = x.value - f.year + 1; n < 1 {
			p.refuse(m.from, m.to, "", fmt.Sprintf("%d has passed: the plan begins in %d, which is its year 1", x.value, f.year))
			return 1
		}
		p.assume(fmt.Sprintf("Year 1 of the plan is %d.", f.year))
	case x.age:
		if !f.age.there {
			p.refuse(m.from, m.to, "", fmt.Sprintf("in which year of the plan is the age %d? Say your age at the start, such as at age 55", x.value))
			return 1
		}
		n = x.value - f.age.value
		if starts {
			n++
		}
		if n < 1 {
			p.refuse(m.from, m.to, "", fmt.Sprintf("the plan begins at the age of %d", f.age.value))
			return 1
		}
	}
	if n < 1 || n > mostYears {
		p.refuse(m.from, m.to, "", "years of the plan count from 1 to 200")
		return 1
	}
	return n
}

const mostYears = 200
