package languagemodel

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/internal/id"
	"ballast/program/generate"
	"ballast/script"
)

const (
	maxLookups  = 500 // most names that are looked up
	maxSearched = 40  // most words that the catalog is searched for
)

// word is a part of a prompt that may name a member.
type word struct {
	text   string
	offset int // in bytes
	quoted bool
}

var (
	wordForm   = regexp.MustCompile(`\^?[\p{L}\p{N}](?:[\p{L}\p{N}._=-]*[\p{L}\p{N}])?`)
	quotedForm = regexp.MustCompile(`"([^"\n]{1,100})"|“([^”\n]{1,100})”|«([^»\n]{1,100})»|‘([^’\n]{1,100})’|(?:^|\s)'([^'\n]{1,100})'`)
)

// wordsOf returns the words and the quoted phrases of a prompt, in order.
func wordsOf(prompt string) []word {
	var words []word
	for _, at := range wordForm.FindAllStringIndex(prompt, -1) {
		words = append(words, word{text: prompt[at[0]:at[1]], offset: at[0]})
	}
	for _, at := range quotedForm.FindAllStringSubmatchIndex(prompt, -1) {
		for i := 2; i < len(at); i += 2 {
			if at[i] >= 0 {
				words = append(words, word{text: prompt[at[i]:at[i+1]], offset: at[i], quoted: true})
			}
		}
	}
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.offset, b.offset) })
	return words
}

// lookups returns the words that may name a member, most likely first.
func lookups(words []word) []string {
	var likely, others []string
	seen := make(map[string]bool, len(words))
	for _, w := range words {
		if seen[w.text] || !strings.ContainsFunc(w.text, unicode.IsLetter) {
			continue
		}
		seen[w.text] = true
		if w.quoted || upper(w.text) || isID(w.text) {
			likely = append(likely, w.text)
		} else if utf8.RuneCountInString(w.text) <= 12 && !common(w.text) {
			others = append(others, w.text)
		}
	}
	names := slices.Concat(likely, others)
	return names[:min(len(names), maxLookups)]
}

// searched returns the words that the catalog is searched for.
func searched(words []word) string {
	var kept []string
	for _, w := range words {
		if w.quoted || fillers[strings.ToUpper(w.text)] || utf8.RuneCountInString(w.text) < 2 || !strings.ContainsFunc(w.text, unicode.IsLetter) || slices.Contains(kept, w.text) {
			continue
		}
		if kept = append(kept, w.text); len(kept) == maxSearched {
			break
		}
	}
	return strings.Join(kept, " ")
}

func upper(s string) bool {
	return s == strings.ToUpper(s) && strings.ContainsFunc(s, unicode.IsLetter)
}

func isID(s string) bool {
	_, ok := id.Parse(id.Model, s)
	return ok
}

// unknownIDs returns the model ids in a prompt that name nothing.
func unknownIDs(words []word, members map[string]generate.Member, prompt string) []generate.Word {
	var unknown []generate.Word
	for _, w := range words {
		if _, ok := members[w.text]; !ok && isID(w.text) {
			unknown = append(unknown, generate.Word{
				Text: w.text, Offset: utf8.RuneCountInString(prompt[:w.offset]), Length: utf8.RuneCountInString(w.text), Member: true,
				Message: "none of your models has this id",
			})
		}
	}
	return unknown
}

// mentions returns the members that a prompt names beyond doubt: ids, symbols in
// capitals, quoted names, and exact names of models. The model that is being
// rewritten may be named, but it cannot be its own member.
func mentions(r generate.Request, words []word, members map[string]generate.Member, models []generate.Member) []mention {
	var all []mention
	for _, w := range words {
		m, ok := members[w.text]
		doubtful := common(w.text) && (!w.quoted || !m.Model)
		if ok && (w.quoted || isID(w.text) || upper(w.text)) && !doubtful {
			all = append(all, mention{text: w.text, offset: w.offset, member: m})
		}
	}
	for _, m := range models {
		if utf8.RuneCountInString(m.Name) < 3 || common(m.Name) || m.Namesakes != nil {
			continue
		}
		if at := phrase(r.Prompt, m.Name); at >= 0 {
			all = append(all, mention{text: m.Name, offset: at, member: m})
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int { return cmp.Compare(a.offset, b.offset) })
	own := itself(r.Previous)
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(m mention) bool {
		drop := seen[identity(m.member)] || own(m.member)
		seen[identity(m.member)] = true
		return drop
	})
}

// itself returns whether a member is the model of a script.
func itself(previous string) func(generate.Member) bool {
	program, _ := script.Check(previous, nil)
	return func(m generate.Member) bool {
		return program != nil && m.Model && (m.Name == program.Name || m.Symbol != "" && m.Symbol == program.Symbol)
	}
}

// phrase returns where a text contains a phrase as whole words, or -1.
func phrase(text, s string) int {
	if s == "" {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(text[from:], s)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(s):])
		if !inWord(before) && !inWord(after) {
			return i
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		from = i + n
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// Capitals alone do not make these words symbols, although such symbols exist:
// fillers say nothing about a model's members, hints say something about them.
var (
	fillers = setOf(`A ABOUT ABOVE ALL ALSO AN AND ANY ARE AS AT BACK BE BELOW BEST BUT BUY BY CAN CASH CLOSE DAILY DAY DAYS DO EACH
ELSE EQUAL EVERY FOR FROM GO HAS HAVE HIGH HOLD I IF IN INTO IS IT ITS LAST LEAST LITTLE LONG LOW ME MODEL MONTH MONTHLY MONTHS MOST MY
NEXT NO NOT NOW OF OFF ON ONE ONLY OR OTHER OUT OVER OWN PART PARTS PER REAL RISK SAFE SEE SELL SHORT SO THAN THAT THE THEIR THEN THEY
THIS THREE TO TOP TWO UNDER UP USE VS WE WEEK WEEKLY WEIGHT WEIGHTS WHEN WHICH WITH YEAR YEARS YOU
ADX ATR CAGR CPI EMA GDP MA MACD MDD NAV OHLC PE PM ROC RSI SMA TA TAA VOL WMA YTD`)
	hints = setOf(`AI ASSET ASSETS BOND BONDS EM ESG ETF ETFS EU FUND FUNDS FX GBP GOLD GTAA JPY REIT REITS STOCK STOCKS UK US USA USD VIX`)
)

// common reports whether a word also has an everyday meaning.
func common(word string) bool {
	word = strings.ToUpper(word)
	return fillers[word] || hints[word]
}

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
