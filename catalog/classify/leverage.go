package classify

import (
	"strconv"
	"strings"
)

// readLeverage finds the signed daily multiple in the name: a factor (3x, -2x, x2, 150%),
// a direction (bull, bear, short, inverse), and brands that imply a multiple (ProShares
// Ultra, UltraPro, UltraShort). "Short" alone means a short term, unless a brand, an
// index or a category makes it a direction.
func (c *reading) readLeverage() {
	m := c.multiple()
	value, derived := m.value(c)
	if value == 1 {
		return
	}
	c.out.Leverage, c.out.Inverse = value, value < 0
	written := strconv.FormatFloat(value, 'g', -1, 64)
	c.says("leverage", written, m.source, m.at, derived)
	if value < 0 {
		c.says("inverse", "true", m.source, m.at, derived)
	}
}

// multiple holds what a name says about the daily multiple.
type multiple struct {
	fixed             float64 // of a brand or known series; 0 if there is none
	factor            float64 // as written; 0 if there is none
	signed            bool    // the factor has a sign
	short, long, term bool
	pair              bool // long one thing and short another
	leveraged         bool
	loose             bool // the factor is written "x2", as share classes are too
	maybeShort        bool
	source            *text
	at                hit
}

func (c *reading) multiple() *multiple {
	m := &multiple{source: &c.name}
	brand := c.brand()
	longs, shorts := 0, 0
	known().leverage.scan(&c.name, func(h hit) {
		kind, number, _ := strings.Cut(h.values[0], ":")
		switch kind {
		case "proshares", "profunds":
			v, _ := strconv.ParseFloat(number, 64)
			if brand == kind || brand == "proshares" || kind == "proshares" && brand == "profunds" {
				m.set(v, h)
			}
		case "x":
			v, _ := strconv.ParseFloat(number, 64)
			m.set(v, h)
		case "short", "bear":
			m.short, m.at = true, widen(m.at, h)
		case "bull":
			m.long, m.at = true, widen(m.at, h)
		case "short?":
			shorts++
			m.maybeShort = true
			if brand == "proshares" || brand == "profunds" {
				m.short, m.at = true, widen(m.at, h)
			}
		case "long?":
			longs++
		case "term":
			m.term = true
			if brand == "proshares" && strings.HasPrefix(c.name.at(h.lo), "short") && h.lo == 1 {
				m.short, m.at = true, widen(m.at, h)
			}
		case "leveraged":
			m.leveraged, m.at = true, widen(m.at, h)
		}
	})
	m.pair = longs > 0 && shorts > 0
	c.readFactor(m)
	if m.loose && !m.short && !m.long && !m.leveraged && !m.maybeShort && !c.nameHas("daily") && !c.nameHas("strategy") {
		m.factor = 0 // a share class
	}
	if m.factor != 0 && m.maybeShort && !m.pair {
		m.short = true
	}
	return m
}

func (m *multiple) set(v float64, h hit) {
	if m.fixed == 0 {
		m.fixed, m.at = v, h
	}
}

func widen(a, b hit) hit {
	if a.hi == 0 {
		return b
	}
	return hit{lo: min(a.lo, b.lo), hi: max(a.hi, b.hi)}
}

// brand returns the sponsor whose words imply a multiple.
func (c *reading) brand() string {
	for i := range c.name.words {
		switch c.name.at(i) {
		case "proshares", "proshs", "proshar", "prosh":
			return "proshares"
		case "profunds", "profund":
			return "profunds"
		}
	}
	return ""
}

// readFactor finds the written factor.
func (c *reading) readFactor(m *multiple) {
	for i := range c.name.words {
		v, signed, ok := factor(c.name.at(i))
		if !ok && c.name.at(i+1) == "x" {
			v, signed, ok = factor(c.name.at(i) + "x")
		}
		if !ok && i > 0 && c.percentAt(i) {
			v, signed, ok = factor(c.name.at(i) + "%")
		}
		if ok {
			m.factor, m.signed = v, signed
			m.loose = c.name.at(i)[0] == 'x' || v > 3
			m.at = widen(m.at, hit{lo: i, hi: i + 1})
			return
		}
	}
}

// percentAt reports whether a percent sign follows the word.
func (c *reading) percentAt(i int) bool {
	hi := int(c.name.words[i].hi)
	return hi < len(c.name.folded) && c.name.folded[hi] == '%'
}

// factor reads "3x", "-2x", "1.25x", "x2", "2xmonthly" and "200%".
func factor(w string) (v float64, signed, ok bool) {
	body := strings.TrimPrefix(w, "-")
	signed = len(body) < len(w)
	var number string
	switch {
	case strings.HasSuffix(body, "%"):
		number = strings.TrimSuffix(body, "%")
		if v, err := strconv.ParseFloat(number, 64); err == nil && (v == 200 || v == 300) {
			return v / 100, signed, true
		}
		return 0, false, false
	case strings.HasPrefix(body, "x") && len(body) == 2:
		number = body[1:]
	default:
		var rest string
		if number, rest, ok = strings.Cut(body, "x"); !ok || rest != "" && rest != "monthly" && rest != "daily" && rest != "shrs" && rest != "shares" && rest != "sh" {
			return 0, false, false
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || v < 0.25 || v > 5 || strings.ContainsAny(number, "einp_+") {
		return 0, false, false
	}
	if signed {
		v = -v
	}
	return v, signed, true
}

// value decides the multiple. derived says whether a category or summary was needed.
func (m *multiple) value(c *reading) (v float64, derived bool) {
	switch {
	case m.fixed != 0:
		return m.fixed, false
	case m.factor != 0 && m.signed:
		return m.factor, false
	case m.factor != 0 && m.short && !m.long:
		return -m.factor, false
	case m.factor != 0:
		return m.factor, false
	}
	return m.unwritten(c)
}

// unwritten returns the multiple of a name without a factor.
func (m *multiple) unwritten(c *reading) (v float64, derived bool) {
	category := c.category.span(0, len(c.category.words))
	inverse := m.short && !m.pair && !m.long || m.maybeShort && !m.term && !m.pair && strings.HasPrefix(category, "trading--inverse")
	switch {
	case inverse && m.leveraged:
		return -c.timesOfSummary(m, 2), true
	case inverse:
		if at := m.at; at.hi == 0 {
			m.source, m.at = &c.category, hit{lo: 0, hi: len(c.category.words)}
		}
		return -1, false
	case m.leveraged && (c.said != nil || c.koreanLeverage()):
		if c.koreanLeverage() {
			return 2, true
		}
		return c.timesOfSummary(m, 1), true
	}
	return 1, false
}

// timesOfSummary returns the multiple that the summary states, or other.
func (c *reading) timesOfSummary(m *multiple, other float64) float64 {
	v, at := c.first("times")
	if v == "" {
		return other
	}
	times, _ := strconv.ParseFloat(v, 64)
	m.source, m.at = &c.summary, at
	return times
}

// koreanLeverage applies to "Leverage" in the name of a Korean ETF, which means twice by
// the rules of the Korea Exchange.
func (c *reading) koreanLeverage() bool {
	return strings.EqualFold(c.Exchange, "KSC") && c.nameHas("leverage")
}
