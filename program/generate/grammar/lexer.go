package grammar

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// kind is what a token is.
type kind int

const (
	word   kind = iota // letters, then letters, digits and apostrophes
	number             // 60, 0.5, .5, 10,000
	quoted             // text between quotation marks, which are left out
	mark               // one character of punctuation
	line               // the end of a line
)

// token is a piece of the prompt.
type token struct {
	kind   kind
	text   string  // as written
	lower  string  // in lower case, curly apostrophes straightened
	value  float64 // of a number
	offset int     // in characters, from 0
	end    int     // offset after it
	glued  bool    // nothing stands between it and the token before
}

func (t token) is(lower string) bool { return t.lower == lower && t.kind != quoted }

// runesOf returns a prompt's characters, with full-width ones and East Asian
// punctuation replaced by the usual ones.
func runesOf(prompt string) []rune {
	text := []rune(prompt)
	for i, r := range text {
		switch {
		case r >= '！' && r <= '～':
			text[i] = r - '！' + '!'
		case r == '、':
			text[i] = ','
		case r == '。':
			text[i] = '.'
		case r == '　':
			text[i] = ' '
		}
	}
	return text
}

// unquoted removes the quotation marks around a whole description; characters keep
// their places.
func unquoted(prompt string) string {
	text := []rune(prompt)
	first, last := 0, len(text)-1
	for first < last && unicode.IsSpace(text[first]) {
		first++
	}
	for first < last && unicode.IsSpace(text[last]) {
		last--
	}
	if first >= last || closing[text[first]] != text[last] {
		return prompt
	}
	inner := string(text[first+1 : last])
	if !strings.ContainsAny(inner, "%/") || strings.ContainsRune(inner, text[first]) || strings.ContainsRune(inner, text[last]) {
		return prompt // a name, or several
	}
	text[first], text[last] = ' ', ' '
	return string(text)
}

// tokenize cuts a prompt into tokens. It never fails: characters without a meaning
// become marks.
func tokenize(prompt string) []token {
	l := lexer{text: runesOf(prompt)}
	for l.at < len(l.text) {
		l.next()
	}
	return l.tokens
}

type lexer struct {
	text   []rune
	at     int
	spaced bool // white space was read since the last token
	tokens []token
}

func (l *lexer) peek(n int) rune {
	if i := l.at + n; i >= 0 && i < len(l.text) {
		return l.text[i]
	}
	return 0
}

func (l *lexer) add(k kind, end int) *token {
	text := string(l.text[l.at:end])
	l.tokens = append(l.tokens, token{
		kind: k, text: text, lower: strings.ToLower(straight.Replace(text)),
		offset: l.at, end: end, glued: !l.spaced && len(l.tokens) > 0,
	})
	l.at, l.spaced = end, false
	return &l.tokens[len(l.tokens)-1]
}

var straight = strings.NewReplacer("’", "'", "‘", "'", "–", "-", "—", "-", "−", "-", "‐", "-", "‑", "-", "•", "*", "·", "*", "∶", ":", "×", "x")

var closing = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '\'': '\'', '‘': '’', '`': '`'}

func (l *lexer) next() {
	r := l.text[l.at]
	switch {
	case r == '\n':
		l.add(line, l.at+1)
	case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff':
		l.at++
		l.spaced = true
	case (r == 'm' || r == 'a') && l.identifier():
	case unicode.IsDigit(r) || r == '.' && unicode.IsDigit(l.peek(1)) && !unicode.IsLetter(l.peek(-1)):
		l.number()
	case unicode.IsLetter(r):
		l.word()
	case l.quotation(r):
	default:
		l.add(mark, l.at+1)
	}
}

// identifier matches the id of a model or an asset, in its current or its older form.
var identifier = regexp.MustCompile(`^(?:model_|asset_|m-|a-)[0-9a-f]{32}$`)

// identifier reads the id of a model or an asset as one word.
func (l *lexer) identifier() bool {
	end := l.at
	for end < len(l.text) && end-l.at < longestQuote && (unicode.IsLetter(l.text[end]) || unicode.IsDigit(l.text[end]) || l.text[end] == '_' || l.text[end] == '-') {
		end++
	}
	if !identifier.MatchString(string(l.text[l.at:end])) {
		return false
	}
	l.add(word, end)
	return true
}

// mostDigits is the longest number, with its point; anything longer is not a number.
const mostDigits = 20

// number reads digits, with commas between thousands and a decimal point.
func (l *lexer) number() {
	end, digits := l.at, ""
	for ; end < len(l.text); end++ {
		r := l.text[end]
		next := func(n int) bool { return end+n < len(l.text) && l.text[end+n] >= '0' && l.text[end+n] <= '9' }
		switch {
		case r >= '0' && r <= '9':
		case r == '.' && next(1) && !strings.Contains(digits, "."):
		case r == ',' && len(digits) > 0 && next(1) && next(2) && next(3) && !next(4) && !strings.Contains(digits, "."):
			continue
		default:
			goto done
		}
		if len(digits) <= mostDigits { // the rest says nothing more
			digits += string(r)
		}
	}
done:
	if end == l.at { // a digit of another script
		l.add(mark, l.at+1)
		return
	}
	if len(digits) > mostDigits {
		l.add(mark, end) // no number that means anything
		return
	}
	value, _ := strconv.ParseFloat(digits, 64) // digits and one point always parse
	l.add(number, end).value = value
}

// word reads letters and what may be inside words; 's becomes a word of its own.
func (l *lexer) word() {
	end := l.at + 1
	for ; end < len(l.text); end++ {
		r := l.text[end]
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) {
			continue
		}
		inside := (r == '\'' || r == '’') && end+1 < len(l.text) && unicode.IsLetter(l.text[end+1])
		if !inside || l.possessive(end) {
			break
		}
	}
	l.add(word, l.measure(end))
	if l.possessive(l.at) {
		l.add(word, l.at+2)
	}
}

// withLength are the words that people write together with a length: RSI14, SMA200.
var withLength = regexp.MustCompile(`^(?i:rsi|sma|ema|dma|ma)[0-9]{1,4}$`)

// measure returns where a word ends that names an average or index with its length.
func (l *lexer) measure(end int) int {
	if text := string(l.text[l.at:end]); end-l.at < 10 && withLength.MatchString(text) {
		return l.at + strings.IndexFunc(text, unicode.IsDigit)
	}
	return end
}

// possessive reports whether 's, at the end of a word, is at i.
func (l *lexer) possessive(i int) bool {
	if i+1 >= len(l.text) || l.text[i] != '\'' && l.text[i] != '’' || l.text[i+1] != 's' && l.text[i+1] != 'S' {
		return false
	}
	return i+2 >= len(l.text) || !unicode.IsLetter(l.text[i+2])
}

// longestQuote limits quotations; anything longer is not a name.
const longestQuote = 200

// quotation reads a text between quotation marks, on one line.
func (l *lexer) quotation(open rune) bool {
	shut, ok := closing[open]
	if !ok || unicode.IsLetter(l.peek(-1)) {
		return false
	}
	for end := l.at + 1; end < len(l.text) && end-l.at <= longestQuote && l.text[end] != '\n'; end++ {
		after := rune(0)
		if end+1 < len(l.text) {
			after = l.text[end+1]
		}
		if l.text[end] != shut || unicode.IsLetter(after) {
			continue
		}
		inner := strings.TrimSpace(string(l.text[l.at+1 : end]))
		if inner == "" {
			return false
		}
		t := l.add(quoted, end+1)
		t.text, t.lower = inner, strings.ToLower(inner)
		return true
	}
	return false
}
