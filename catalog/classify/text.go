package classify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is one word of a text: its place in the folded text, and its number in the
// tables, or 0 if no table has it.
type word struct {
	id     uint32
	lo, hi int32
}

// text is one field of a listing, folded and split into words.
type text struct {
	field  string // of Listing, as evidence names it
	folded []byte
	words  []word
}

// read splits s into words and looks them up: runs of letters, digits and characters that belong to them
// (the point of 1.5x, the & of s&p, the sign of -2x). It removes case and accents and
// joins initials (U.S. becomes us, L.P. lp); € £ $ are words.
func read(field, s string) text { return known().words.split(field, s) }

// split is read with these words.
func (w words) split(field, s string) text {
	t := text{field: field, folded: fold(s)}
	b := t.folded
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		switch {
		case wordRune(r):
			lo := i
			if lo > 0 && b[lo-1] == '-' && digit(b[lo]) && (lo == 1 || !wordByte(b[lo-2])) {
				lo-- // a sign
			}
			end := wordEnd(b, i)
			t.words = append(t.words, t.word(w, lo, end))
			i = end
		case r == '€' || r == '£' || r == '$':
			t.words = append(t.words, t.word(w, i, i+size))
			i += size
		default:
			i += size
		}
	}
	return t
}

// wordEnd returns where the word that begins at i ends.
func wordEnd(b []byte, i int) int {
	for i < len(b) {
		r, size := utf8.DecodeRune(b[i:])
		if !wordRune(r) {
			inner := (r == '.' && i+1 < len(b) && digit(b[i-1]) && digit(b[i+1])) ||
				(r == '&' && i+1 < len(b) && wordByte(b[i-1]) && wordByte(b[i+1]))
			if !inner {
				return i
			}
		}
		i += size
	}
	return i
}

func (t *text) word(w words, lo, hi int) word {
	return word{id: w[string(t.folded[lo:hi])], lo: int32(lo), hi: int32(hi)} //nolint:gosec // texts are far below 2 GB
}

// at returns the i-th word, or "" outside the text.
func (t *text) at(i int) string {
	if i < 0 || i >= len(t.words) {
		return ""
	}
	return string(t.folded[t.words[i].lo:t.words[i].hi])
}

// span returns the folded text from word lo up to but excluding word hi.
func (t *text) span(lo, hi int) string {
	if lo >= hi || hi > len(t.words) {
		return ""
	}
	return string(t.folded[t.words[lo].lo:t.words[hi-1].hi])
}

// fold lowers case, removes accents and joins initials.
func fold(s string) []byte {
	if !ascii(s) {
		s = plain(s)
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '.' && initial(s, i-1) && i+1 < len(s) && initial(s, i+1),
			c == '\'':
			continue
		}
		b = append(b, c)
	}
	return b
}

// initial reports whether the byte at i is a single letter between points or ends.
func initial(s string, i int) bool {
	return i >= 0 && i < len(s) && letter(s[i]) && (i == 0 || !wordByte(s[i-1])) && (i+1 == len(s) || !wordByte(s[i+1]))
}

// plain decomposes characters with accents or a compatible simpler form (ﬁ, ², ™) and
// keeps the letters.
func plain(s string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToValidUTF8(s, " ")) {
		switch {
		case unicode.Is(unicode.Mn, r) || r == '’' || r == '®' || r == '™':
		case r == '–' || r == '—' || r == '−' || r == '‐' || r == '‑':
			out.WriteByte('-')
		case r == 'ß':
			out.WriteString("ss")
		default:
			out.WriteRune(unicode.ToLower(r))
		}
	}
	return out.String()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return wordByte(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func wordByte(c byte) bool { return letter(c) || digit(c) || c >= utf8.RuneSelf }
func letter(c byte) bool   { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func digit(c byte) bool    { return '0' <= c && c <= '9' }
