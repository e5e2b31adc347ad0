package grammar

import (
	"fmt"
	"reflect"
)

// said is a value with the place where it was said.
type said[T any] struct {
	value    T
	from, to int // tokens
	there    bool
}

// draft is what has been understood so far.
type draft struct {
	name, symbol said[string]
	schedule     said[Schedule]
	usual        said[string]     // a strategy that is decided monthly by its author
	rule         said[*Published] // a published rule
	ruled        []string         // what it chooses from
	bare         *bare            // a rule that may be named without members
	usualAt      match            // where it was
	fill         said[string]
	hold         said[bool]

	count     said[int]
	fraction  said[float64] // of the members that are held, instead of a count
	lookbacks said[[]span]
	skip      said[span]
	positive  said[Positive]
	hurdle    said[reading]
	momentum  said[bool] // members are chosen by momentum
	dual      said[bool]
	score     said[Score]
	scoreSpan said[span]
	lowest    said[bool] // those with the lowest score are held
	ranked    bool       // the best or the worst were said to be held
	scored    bool       // momentum, return or performance was said of them
	byRisk    said[bool] // by volatility, which may choose as well as weigh

	weighting    said[Weighting]
	optimizer    string // the name that was said with the weighting
	riskLookback said[span]
	anyLookback  said[span] // of whatever needs one
	aversion     said[float64]
	cap          said[float64]
	bounds       []bound // of single members, and least weights
	target       said[float64]
	gross        said[float64]
	leverage     said[float64]
	leveraged    *block     // what had been named when leverage was said
	leveragedN   int        // and its members by then
	borrows      said[bool] // that more than all is invested
	band         said[Band]

	around    float64    // the target in the middle of a band that was said by its limits; 0 without
	asBefore  said[bool] // the length is the one of the condition before
	between   bool       // what is held rotates between members
	full      said[bool] // nothing is left in cash
	managed   said[bool] // the volatility is managed, to a target that has to be said
	trending  said[bool] // a trend is followed, by a rule that has to be said
	announced said[int]  // how many members the list was said to have

	eachOf   bool       // members were said to be held each of them
	longOnly said[bool] // nothing is sold short

	parts []part
	notes []string
}

// part is one element of a conditional sentence, in the order said.
type part struct {
	holdings  *block
	test      *tested
	otherwise bool
	from, to  int
}

// block is a group of members with what was said about their shares.
type block struct {
	entries    []entry
	equal      bool
	rest       []reading // what takes the rest
	restAll    bool      // in equal parts
	restShares []float64 // of the rest, one for each that takes it
	hasRest    bool
	known      string // the well-known portfolio it is
}

// entry is a member of a block.
type entry struct {
	reading
	from   int
	weight float64
	bare   bool // a number without percent sign
	has    bool
	short  bool
	own    bool // the share is of this member alone
	upto   int  // token after what was said about it
	group  int  // number of the group of members that share one weight, or 0
}

// tested is a test as it was said.
type tested struct {
	Test
	subject reading
	of      reading // whose average was named, where it was
	who     who
	any     bool // the momentum of all that are chosen
	open    bool // "below it": the same test as the one before
	not     bool // unless, until
	free    bool // the subject stands without when or if: SPY above its average
}

// who is what a test is about.
type who int

const (
	nobody   who = iota // not said
	itself              // it
	everyone            // each of them
	named               // subject
)

// once stores a value, or reports that a different one was said before.
func once[T any](p *parser, s *said[T], value T, m match, what string) {
	if s.there && !reflect.DeepEqual(s.value, value) {
		p.refuse(m.from, m.to, "", fmt.Sprintf("%s was given before with another value: %q", what, p.text(s.from, s.to)))
		return
	}
	if !s.there {
		*s = said[T]{value, m.from, m.to, true}
	}
}
