package grammar

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"ballast/program/generate"
)

const (
	deepest   = 12 // nested conditions and brackets
	mostParts = 60 // conditions and leaves of a tree
)

// treeReader reads the strategies and conditions of a description. Its leaves are
// read by a parser of their own.
type treeReader struct {
	ctx   context.Context
	p     *parser // of the whole description
	limit int     // token after what is read
	tree  *Tree
	deep  int
	parts int

	pool     []string  // the members that are held before a condition
	held     string    // the one member that is held before a condition
	subject  string    // the member that a condition named last, which "it" refers to
	last     Quantity  // what a condition measured last
	before   Quantity  // what it measured before that
	previous Condition // the comparison that was read last
	against  Quantity  // what a price was compared with last
	trending Condition // how an uptrend is told, where that was said
	asked    Condition // the condition that was read last
	stopped  []generate.Word
	furthest int
	inside   int  // conditions under which the strategy that is read stands
	other    bool // what is read is held otherwise: a sentence after it does not belong to it
	composed bool // a condition or a part of a blend was understood

	nameless []nameless           // shares of stocks and bonds that name neither
	defaults map[*Allocation]bool // what is held otherwise, where nothing was said about it

	schedule said[Schedule]
	fill     said[string]
	name     said[string]
	symbol   said[string]
	band     said[Band]
}

// UnderstandTree reads the description of a strategy made of others. It fails with a
// *generate.NotUnderstood, or with the library's own error.
func UnderstandTree(ctx context.Context, library generate.Library, prompt string) (*Tree, error) {
	p, err := begin(ctx, english(), library, prompt)
	if err != nil {
		return nil, err
	}
	r := &treeReader{ctx: ctx, p: p, limit: len(p.tokens), tree: &Tree{Fill: "close"}, furthest: -1, defaults: map[*Allocation]bool{}}
	r.name = p.draft.name // before a colon
	begin, pair := r.announced()
	root, tried := r.modified(begin, len(p.tokens))
	if !tried {
		root, tried = r.replaced(begin, len(p.tokens))
	}
	if !tried {
		root = r.node(begin, len(p.tokens), true)
	}
	if root != nil && pair != nil && !slices.Equal(slices.Sorted(slices.Values(heldBy(root))), pair) {
		r.furthest, r.stopped, r.composed = -1, nil, true
		r.fail(0, begin, "this names "+and(pair)+", but "+and(heldBy(root))+" is held by what follows")
		root = nil
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read a description: %w", err)
	}
	if root == nil {
		return nil, r.refusal(library)
	}
	if r.unclear(root) {
		return nil, r.refusal(library)
	}
	r.tree.Root = root
	if r.tree.unmarked() {
		return nil, elsewhere("whether to stay cannot be told: what is held between the two conditions holds no member of its own", acceptedTrees)
	}
	r.settle()
	return r.tree, nil
}

// announced reads switch between QQQ and BIL: before the rule itself. It returns where that
// begins, and the members in order; 0 if nothing is announced.
func (r *treeReader) announced() (begin int, members []string) {
	at := r.skip(0, "i we want to")
	if !leaving[r.word(at)] && replacing[r.word(at)] == nil || !r.is(at+1, "between") {
		return 0, nil
	}
	keys, end := r.memberList(at + 2)
	if len(keys) < 2 || !r.is(end, ":") && !r.is(end, ".") && !r.is(end, ";") {
		return 0, nil
	}
	slices.Sort(keys)
	return end + 1, keys
}

// refusal says where the description is not understood. It is a *notComposed if that
// is before any condition or part was understood.
func (r *treeReader) refusal(library generate.Library) error {
	strange := &generate.NotUnderstood{Words: r.stopped, Accepted: nearby(slices.Concat(acceptedTrees, accepted), r.p.tokens)}
	for i := range strange.Words {
		w := &strange.Words[i]
		if !w.Member || w.Suggestion != "" {
			continue
		}
		near, err := library.Nearest(r.ctx, []string{w.Text})
		if err != nil {
			return fmt.Errorf("find the nearest symbols: %w", err)
		}
		w.Suggestion = near[w.Text]
	}
	if !r.composed {
		return &notComposed{strange}
	}
	return strange
}

// notComposed is the error for a description without choices or blends.
type notComposed struct{ *generate.NotUnderstood }

func (e *notComposed) Unwrap() error { return e.NotUnderstood }

// acceptedTrees are wordings of choices and blends.
var acceptedTrees = []string{
	"if SPY is above its 200 day moving average hold QQQ, otherwise BIL",
	"if RSI(10) of QQQ is above 80 hold BIL, else if SPY is above its 200 day moving average hold QQQ, else TLT",
	"hold SPY if SPY is above its 200 day moving average and its 12 month return is positive, otherwise BIL",
	"50% (SPY when above its 200 day moving average, otherwise BIL), 50% (60/40 SPY/AGG)",
}

// What is assumed where a description says nothing.
const (
	monthlyByDefault    = "No schedule was given, so decisions are monthly."
	checkedDaily        = "No schedule was given, so the conditions are checked daily."
	cashOtherwise       = "Where nothing else was said, CASH is held otherwise."
	volatilityOverSixty = "No length was given, so the volatility is measured over 60 sessions."
	rsiOverFourteen     = "No length was given, so the RSI is measured over 14 sessions."
)

// settle sets what belongs to the whole tree.
func (r *treeReader) settle() {
	t := r.tree
	t.Name, t.Symbol = r.name.value, r.symbol.value
	if r.fill.there {
		t.Fill = r.fill.value
	}
	if r.band.there {
		b := r.band.value
		t.Band = &b
	}
	conditional := false
	t.walk(func(n Node) {
		switch n := n.(type) {
		case *Choice:
			conditional = true
			if r.defaulted(n.Else) {
				r.note(cashOtherwise)
			}
		case *Allocation:
			conditional = conditional || (n.Plan.Gate != nil || n.Plan.Each != nil) && n.Plan.Usual == ""
		}
	})
	switch {
	case r.schedule.there:
		t.Schedule = r.schedule.value
	case conditional:
		t.Schedule = Schedule{Every: "daily", Session: -1}
		r.note(checkedDaily)
	default:
		t.Schedule = Schedule{Every: "monthly", Session: -1}
		r.note(monthlyByDefault)
	}
	if t.Name == "" {
		t.Name = titleOf(t)
	}
}

// titleOf names a tree by what it holds.
func titleOf(t *Tree) string {
	var keys []string
	t.walk(func(n Node) {
		if a, ok := n.(*Allocation); ok {
			for _, h := range slices.Concat(a.Plan.Pool, a.Plan.Else) {
				if !slices.Contains(keys, h.Key) {
					keys = append(keys, h.Key)
				}
			}
		}
	})
	how := " by conditions"
	if _, ok := t.Root.(*Blend); ok {
		how = " in parts"
	}
	return clipped(few(keys) + how)
}

func (r *treeReader) in(at int) bool { return at >= 0 && at < r.limit }

// word returns a token in lower case, "" outside of what is read.
func (r *treeReader) word(at int) string {
	if !r.in(at) || r.p.tokens[at].kind == quoted {
		return ""
	}
	return r.p.tokens[at].lower
}

func (r *treeReader) is(at int, w string) bool { return r.word(at) == w }

// fail records why the description is not understood. The place that was read
// furthest counts: what comes before it was understood.
func (r *treeReader) fail(from, to int, message string) {
	r.failWith(from, to, generate.Word{Message: message})
}

// failWith is fail with a word whose place is not known yet.
func (r *treeReader) failWith(from, to int, w generate.Word) {
	if from < r.furthest || from == r.furthest && len(r.stopped) > 0 {
		return
	}
	r.furthest = from
	tokens := r.p.tokens
	if len(tokens) > 0 {
		from = max(0, min(from, len(tokens)-1))
		to = max(from+1, min(to, len(tokens)))
		w.Text, w.Offset = shortened(r.p.text(from, to)), tokens[from].offset
		w.Length = tokens[to-1].end - w.Offset
	}
	r.stopped = []generate.Word{w}
}

func (r *treeReader) failMember(at int, m reading) {
	r.composed = true
	r.failWith(at, m.end, generate.Word{Message: r.p.strange(m), Member: true})
}

// strange says that a condition was expected.
func (r *treeReader) strange(at int) {
	r.fail(at, at+1, "this is not understood as part of a condition; conditions compare, as in SPY is above its 200 day moving average, or RSI(10) of QQQ is below 30")
}

func (r *treeReader) note(text string) {
	if !slices.Contains(r.tree.Notes, text) {
		r.tree.Notes = append(r.tree.Notes, text)
	}
}

// everyday says which symbol stands for an everyday word.
func (r *treeReader) everyday(m reading) {
	if m.said != "" {
		r.note(fmt.Sprintf("%q means %s.", strings.TrimSpace(m.said), m.key))
	}
	if m.member.Model && m.key == m.member.ID {
		r.note(fmt.Sprintf("%s is the model %q.", m.key, m.member.Name))
	}
}

// separators may stand between the parts of a choice.
func (r *treeReader) skip(at int, marks string) int {
	for r.in(at) {
		w := r.word(at)
		if r.p.tokens[at].kind != line && (w == "" || !slices.Contains(strings.Fields(marks), w)) {
			return at
		}
		at++
	}
	return at
}

// shuts returns the token of the parenthesis that closes the one at a token; 0 if
// there is none.
func (r *treeReader) shuts(at int) int {
	depth := 0
	for i := at; r.in(i); i++ {
		switch {
		case r.is(i, "("):
			depth++
		case r.is(i, ")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// node reads a whole range: what is not composed, a blend, or a choice.
func (r *treeReader) node(from, to int, whole bool) Node {
	if r.deep++; r.deep > deepest || r.ctx.Err() != nil {
		r.fail(from, from+1, fmt.Sprintf("strategies may be nested %d deep", deepest))
		return nil
	}
	kept := r.limit
	r.limit = to
	defer func() { r.deep--; r.limit = kept }()
	if _, _, opened := r.opens(from); opened && r.inside > 0 && r.subject != "" {
		whole = true // its means the member that was compared before, which a plan does not know
	}
	if !whole {
		stopped, furthest := r.stopped, r.furthest
		if n := r.plan(from, to, true); n != nil {
			return n
		}
		r.stopped, r.furthest = stopped, furthest
	}
	if n, tried := r.blend(from, to); tried {
		return n
	}
	n, end := r.strategy(r.prefix(from), false)
	if n == nil {
		return nil
	}
	if !r.rest(end) {
		return nil
	}
	if _, ok := n.(*Allocation); ok && whole {
		r.fail(from, to, "this is neither a choice nor a blend")
		return nil
	}
	return n
}

// prefix reads what is said of the whole before the first condition: each month, if …
func (r *treeReader) prefix(at int) int {
	at = r.skip(at, ", . ; :")
	for i := at; r.in(i) && i < at+24; i++ {
		if _, _, ok := r.opens(i); !ok {
			continue
		}
		if i == at || i == at+1 && entering[r.word(at)] { // buy when SPY …
			return at
		}
		stopped, furthest := r.stopped, r.furthest
		if r.whole(at, i) {
			return i
		}
		r.stopped, r.furthest = stopped, furthest
		return at
	}
	return at
}

// rest reads what is said of the whole after a strategy: a schedule, a name.
func (r *treeReader) rest(at int) bool {
	at = r.skip(at, ", . ; : and")
	return at >= r.limit || r.whole(at, r.limit)
}

// whole reads words that name no member and say when the whole decides and trades.
func (r *treeReader) whole(from, to int) bool {
	sub := r.sub(from, to)
	if sub == nil {
		return false
	}
	if len(sub.draft.parts) > 0 {
		x := sub.draft.parts[0]
		r.fail(from+x.from, from+x.to, "it is not clear how this belongs to what comes before: put the parts in parentheses, or say otherwise before it")
		return false
	}
	if len(sub.problems) > 0 {
		r.blame(sub, from)
		return false
	}
	if !r.hoist(sub, from) || !r.alone(sub, from) {
		return false
	}
	left := sub.draft
	left.schedule, left.fill, left.name, left.symbol, left.band, left.notes = draft{}.schedule, draft{}.fill, draft{}.name, draft{}.symbol, draft{}.band, nil
	if !reflect.DeepEqual(left, draft{}) {
		r.fail(from, to, "it is not clear what this belongs to: put it into parentheses with the part that it applies to")
		return false
	}
	for _, n := range sub.draft.notes {
		r.note(n)
	}
	return true
}

// sub reads a range with a parser of its own.
func (r *treeReader) sub(from, to int) *parser {
	if r.parts++; r.parts > mostParts {
		r.fail(from, from+1, fmt.Sprintf("a description may have %d conditions and parts", mostParts))
		return nil
	}
	sub := newParser(r.p.language, string(r.p.prompt), r.p.tokens[from:to:to], r.p.members)
	if err := sub.parse(r.ctx); err != nil {
		return nil
	}
	return sub
}

// blame takes over what a parser of a part did not understand.
func (r *treeReader) blame(sub *parser, from int) {
	slices.SortStableFunc(sub.problems, func(a, b problem) int { return cmp.Compare(a.Offset, b.Offset) })
	x := sub.problems[0]
	at := from
	for at+1 < len(r.p.tokens) && r.p.tokens[at].offset < x.Offset {
		at++
	}
	to := at + 1
	for to < len(r.p.tokens) && r.p.tokens[to-1].end < x.Offset+x.Length {
		to++
	}
	r.failWith(at, to, generate.Word{Message: x.Message, Member: x.Member, Suggestion: x.Suggestion})
}

// hoist moves what belongs to the whole from a part's draft to the tree.
func (r *treeReader) hoist(sub *parser, from int) bool {
	d := &sub.draft
	return hoisted(r, &r.schedule, d.schedule, from, "a schedule") && hoisted(r, &r.fill, d.fill, from, "when trades are filled") &&
		hoisted(r, &r.name, d.name, from, "the name") && hoisted(r, &r.symbol, d.symbol, from, "the symbol") && hoisted(r, &r.band, d.band, from, "a band")
}

func hoisted[T any](r *treeReader, to *said[T], x said[T], from int, what string) bool {
	if !x.there {
		return true
	}
	if to.there {
		r.fail(from+x.from, from+x.to, what+" was given before: the whole model has one, so say it once, at the beginning or the end")
		return false
	}
	if what == "a band" && r.bracketed(from+x.from) {
		r.fail(from+x.from, from+x.to, "the whole model has one band: say it at the end, outside of the parentheses")
		return false
	}
	*to = said[T]{x.value, from + x.from, from + x.to, true}
	return true
}

// bracketed reports a token within parentheses beside which there is more.
func (r *treeReader) bracketed(at int) bool {
	depth := 0
	for i, t := range r.p.tokens[:at] {
		switch {
		case t.is("("):
			depth++
			if depth == 1 && i == 0 && r.shuts(0) == len(r.p.tokens)-1 { // it encloses all
				depth--
			}
		case t.is(")"):
			depth--
		}
	}
	return depth > 0
}

// alone refuses modifiers that stand apart from what they modify.
func (r *treeReader) alone(sub *parser, from int) bool {
	for _, x := range modifiers(&sub.draft) {
		if x.there {
			r.fail(from+x.from, from+x.to, "does the "+x.what+" apply to the last part, or to all of them? Put it in parentheses with the part that it applies to")
			return false
		}
	}
	return true
}

type modifier struct {
	there    bool
	from, to int
	what     string
}

func modifiers(d *draft) []modifier {
	return []modifier{
		{d.leverage.there, d.leverage.from, d.leverage.to, "leverage"}, {d.cap.there, d.cap.from, d.cap.to, "cap"},
		{d.target.there, d.target.from, d.target.to, "volatility target"}, {d.gross.there, d.gross.from, d.gross.to, "limit of exposure"},
		{d.hold.there, d.hold.from, d.hold.to, "rule to buy and hold"}, {d.weighting.there, d.weighting.from, d.weighting.to, "weighting"},
	}
}
