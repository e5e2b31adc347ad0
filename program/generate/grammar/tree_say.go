package grammar

import (
	"context"
	"regexp"
	"strings"

	"ballast/program/generate"
	"ballast/script"
)

// treeInWords returns a description that gives the script of a tree again; "" if none is
// found. The script's docstring says the tree; the code decides: the description has to
// give the same code. So a script whose inputs were changed has none.
func treeInWords(ctx context.Context, text string) (string, error) {
	program, problems := script.Check(text, nil)
	doc, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), `"""`)
	doc, _, closed := strings.Cut(doc, `"""`)
	if len(problems) > 0 || program.Kind != script.Model || !ok || !closed {
		return "", nil
	}
	said := &docstring{lines: sentencesOf(doc)}
	words, composed := said.node(0, 0)
	if words == "" || !composed {
		return "", nil
	}
	r := &rereader{program: program, code: codeOf(text)}
	whole := &Plan{Schedule: r.schedule()}
	if size := r.number("band", 0); size > 0 {
		whole.Band = &Band{Size: size, Relative: r.has("away = [s for s in ctx.inputs.universe")}
	}
	words += "; " + saySchedule(whole)
	if band := sayBand(whole.Band); band != "" {
		words += ", " + band
	}
	if r.stringAfter("FILL") == "next_close" {
		words += ", trade at the next close"
	}
	known := onlyMembers{}
	for _, key := range program.Universe {
		known[key] = generate.Member{Key: key, ID: key, Symbol: key, Name: key}
	}
	named := words + `, called "` + r.stringAfter("NAME") + `"`
	if symbol := r.stringAfter("SYMBOL"); symbol != "" {
		named += ", symbol " + symbol
	}
	for _, try := range []string{words, named} {
		again, err := modelScript(ctx, known, generate.Request{Prompt: try})
		switch {
		case isStrange(err):
		case err != nil:
			return "", err
		case alikeCode(again) == alikeCode(text):
			return try, nil
		}
	}
	return "", nil
}

// sentence is one of a docstring, and how far it is indented.
type sentence struct {
	indent int
	text   string
}

// sentencesOf joins the lines of a docstring to sentences.
func sentencesOf(doc string) (list []sentence) {
	open := false
	for line := range strings.Lines(doc) {
		text := strings.TrimSpace(line)
		switch {
		case text == "":
			continue
		case open:
			list[len(list)-1].text += " " + text
		default:
			list = append(list, sentence{len(line) - len(strings.TrimLeft(line, " ")), text})
		}
		open = !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ":")
	}
	return list
}

// docstring reads what DescribeTree has written.
type docstring struct {
	lines []sentence
	at    int
}

func (d *docstring) line(indent int) string {
	if d.at >= len(d.lines) || d.lines[d.at].indent != indent {
		return ""
	}
	return d.lines[d.at].text
}

// node says the strategy at an indentation; "" if it cannot. composed reports a choice or a
// blend.
func (d *docstring) node(indent, deep int) (words string, composed bool) {
	if deep > deepest {
		return "", false
	}
	line := d.line(indent)
	if condition, ok := between(line, "If ", ":"); ok {
		return d.choice(indent, deep, condition), true
	}
	if strings.HasPrefix(line, "With ") && strings.HasSuffix(line, " of equity:") {
		return d.blend(indent, deep), true
	}
	var leaf []string
	for line != "" && !strings.HasPrefix(line, "Otherwise") && !strings.HasPrefix(line, "With ") && !strings.HasPrefix(line, "Each decision ") {
		leaf = append(leaf, line)
		d.at++
		line = d.line(indent)
	}
	return sayLeaf(strings.Join(leaf, " ")), false
}

// part says a strategy within another, in parentheses if it is composed.
func (d *docstring) part(indent, deep int) string {
	words, composed := d.node(indent+len(deeper), deep+1)
	if words != "" && (composed || strings.ContainsAny(words, ",") || strings.Contains(words, " when ")) {
		return "(" + words + ")"
	}
	return words
}

func (d *docstring) choice(indent, deep int, condition string) string {
	d.at++
	then := d.part(indent, deep)
	if then == "" {
		return ""
	}
	var other string
	line := d.line(indent)
	if next, ok := between(line, "Otherwise, if ", ":"); ok {
		other = d.choice(indent, deep+1, next)
	} else if line == "Otherwise:" {
		d.at++
		other = d.part(indent, deep)
	}
	if other == "" {
		return ""
	}
	if enter, leave, held := strings.Cut(condition, ", and from then on until "); held {
		return "hold " + then + " when " + sayCondition(enter) + ", hold until " + sayCondition(leave) + ", otherwise " + other
	}
	return "if " + sayCondition(condition) + " hold " + then + ", otherwise " + other
}

func (d *docstring) blend(indent, deep int) string {
	var parts []string
	for {
		share, ok := between(d.line(indent), "With ", " of equity:")
		if !ok {
			break
		}
		d.at++
		words, _ := d.node(indent+len(deeper), deep+1)
		if words == "" {
			return ""
		}
		if exact := thirds[share]; exact != "" {
			share = exact
		}
		parts = append(parts, share+" ("+words+")")
	}
	if strings.HasPrefix(d.line(indent), "Each decision brings the parts back") {
		d.at++
	}
	return strings.Join(parts, ", ")
}

// thirds are shares that have no short decimal form.
var thirds = map[string]string{"33.33%": "1/3", "66.67%": "2/3", "16.67%": "1/6", "14.29%": "1/7", "11.11%": "1/9", "8.33%": "1/12"}

// between returns what stands between two texts, if nothing else is there.
func between(text, before, after string) (string, bool) {
	rest, ok := strings.CutPrefix(text, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, after)
}

// rewriting replaces a wording of a docstring by one of descriptions.
type rewriting struct {
	from *regexp.Regexp
	to   string
}

func rewritten(list []rewriting, text string) string {
	for _, x := range list {
		text = x.from.ReplaceAllString(text, x.to)
	}
	return text
}

func rewritings(pairs ...string) (list []rewriting) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, rewriting{regexp.MustCompile(pairs[i]), pairs[i+1]})
	}
	return list
}

// sayCondition says a condition of a docstring.
func sayCondition(text string) string {
	if rest, ok := strings.CutPrefix(text, "at least "); ok {
		least, list, _ := strings.Cut(rest, " of these are true: ")
		return sayCount(least, strings.Split(list, "; "))
	}
	return rewritten(conditionsSaid, text)
}

// sayCount says that at least some of several members are where all are compared alike.
func sayCount(least string, comparisons []string) string {
	var keys []string
	how := ""
	for _, x := range comparisons {
		key, rest, _ := strings.Cut(x, " is ")
		if how != "" && rest != how {
			return ""
		}
		keys, how = append(keys, key), rest
	}
	return "at least " + least + " of " + strings.Join(keys, ", ") + " are " + strings.Replace(rewritten(conditionsSaid, how), " its ", " their ", 1)
}

var conditionsSaid = rewritings(
	`the (\d+)-session (moving average|exponential moving average|RSI) of (\S+) is above what it was 1 session before`, `the $1 day $2 of $3 is rising`,
	`the (\d+)-session (moving average|exponential moving average|RSI) of (\S+) is below what it was 1 session before`, `the $1 day $2 of $3 is falling`,
	`, on (\d+) sessions in a row`, ` for $1 days in a row`,
	`the mean daily return of (\S+) over (\d+) sessions`, `the $2 day moving average return of $1`,
	`the standard deviation of daily returns of (\S+) over (\d+) sessions`, `the $2 day standard deviation of return of $1`,
	`its annualised (\d+)-session volatility`, `its $1 day volatility`,
	`the annualised (\d+)-session volatility of`, `the $1 day volatility of`,
	`the largest drawdown of (\S+) of the last (\d+) sessions`, `the max drawdown of $1 over $2 days`,
	`the decline of (\S+) from the highest price so far is above`, `$1's drawdown is more than`,
	`(\S+) is at most (\S+%) below its highest price so far`, `$1 is within $2 of its all-time high`,
	`(\S+) is at most (\S+%) below its highest price of the last (\d+) sessions`, `$1 is within $2 of its $3 day high`,
	`(\S+) is (more|less) than (\S+%) below its highest price so far`, `$1 is down $2 than $3 from its all-time high`,
	`(\S+) is (more|less) than (\S+%) below its highest price of the last (\d+) sessions`, `$1 is down $2 than $3 from its $4 day high`,
	`its highest price of the last (\d+) sessions`, `its $1 day high`,
	`the day of the month is from (\d+) to (\d+)`, `from the ${1}th to the ${2}th of the month`,
	`\b([123]?)1th\b`, `${1}1st`, `\b([123]?)2th\b`, `${1}2nd`, `\b([123]?)3th\b`, `${1}3rd`, `\b11st\b`, `11th`, `\b12nd\b`, `12th`, `\b13rd\b`, `13th`,
	`and the month is not `, `and not in `, `the month is not `, `not in `, `the month is `, `it is `,
	`(\d+)-session`, `$1 day`,
)

// sayLeaf says what a docstring says of one allocation; "" if it cannot.
func sayLeaf(text string) string {
	if text == "" {
		return ""
	}
	words := rewritten(leavesSaid, text)
	if strings.Contains(words, ". ") || strings.HasPrefix(words, "Holds ") {
		return ""
	}
	return strings.TrimSuffix(words, ".")
}

var leavesSaid = rewritings(
	`-session`, ` day`,
	`Holds CASH\.`, `cash`,
	`Holds the one of `, `Holds the 1 of `,
	`Holds the (\d+) of (.+?) with the highest return over (\d+) sessions without the last (\d+) sessions(?:, with equal weights)?`, `top $1 of $2 by $3 day momentum, skipping the last $4 days`,
	`Holds the (\d+) of (.+?) with the highest return over (\d+) sessions(?:, with equal weights)?`, `top $1 of $2 by $3 day momentum`,
	`Holds the (\d+) of (.+?) with the lowest return over (\d+) sessions(?:, with equal weights)?`, `bottom $1 of $2 by $3 day momentum`,
	`Holds the (\d+) of (.+?) with the highest RSI over (\d+) sessions(?:, with equal weights)?`, `top $1 of $2 by $3 day RSI`,
	`Holds the (\d+) of (.+?) with the lowest RSI over (\d+) sessions(?:, with equal weights)?`, `bottom $1 of $2 by $3 day RSI`,
	`Holds the (\d+) of (.+?) with the highest average of the returns over (.+?) sessions(?:, with equal weights)?`, `top $1 of $2 by the average of $3 day returns`,
	`Holds the (\d+) of (.+?) with the (highest|lowest) (volatility|Sharpe ratio) over (\d+) sessions(?:, with equal weights)?`, `hold the $1 of $2 with the $3 $5 day $4`,
	`, weighted by inverse volatility over (\d+) sessions`, `, weighted by inverse volatility over $1 days`,
	`Holds (.+?) weighted by inverse volatility over (\d+) sessions`, `inverse volatility of $1 over $2 days`,
	`Holds (.+?) weighted so that each contributes the same risk, measured over (\d+) sessions`, `risk parity of $1 over $2 days`,
	`Holds (.+?) weighted for the lowest variance of the whole, measured over (\d+) sessions`, `minimum variance of $1 over $2 days`,
	`Holds (.+?) with equal weights`, `equal weight $1`,
	`^Holds ([^ ,.%]+)\.`, `100% $1.`,
	`^Holds (\S+% [^.]*(?:\.\d[^.]*)*)\.`, `$1.`,
	`\. No member gets more than (\S+?%); [^.]*\.`, `, no more than $1 in any asset.`,
	`\. Of equity, (\S+) at most (\S+?%) is held; [^.]*\.`, `, no more than $2 in $1.`,
	`\. The weights are the best of those within these limits: (\S+) at most (\S+?%)\.`, `, no more than $2 in $1.`,
	`\. The weights are the best of those within these limits: (\S+) at least (\S+?%)\.`, `, at least $2 in $1.`,
	`\. All weights are multiplied by (\S+)\.$`, ` leveraged ${1}x.`,
	`\. A member is held only if [^;]* is above zero; otherwise its share goes to (\S+)\.`, `, only if positive, otherwise $1.`,
	`\. This is held only while (.+?); otherwise the model holds (.+?)\.$`, ` when $1, otherwise $2.`,
	`\. Each member is held only while it is (above|below) its (\d+) day (\S*\s?moving average); otherwise its share goes to (\S+)\.`, `, each only while $1 its $2 day $3, otherwise $4.`,
	`the return of (\S+) over (\d+) sessions is above zero`, `the $2 day return of $1 is positive`,
	`the return of (\S+) over (\d+) sessions is above that of (\S+?),`, `$1 beats $3 over the last $2 days,`,
	`\. Everything is scaled to a volatility of (\S+%) a year, measured over (\d+) sessions, with at most 100% of equity invested\.`, `, target $1 volatility over $2 days.`,
	`\bCASH\b`, `cash`,
)
