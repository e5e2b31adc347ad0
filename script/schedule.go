package script

import (
	"strings"

	"ballast/backtest"
	"ballast/script/dialect"
)

var (
	scheduleWords = []string{"daily", "weekly", "monthly", "quarterly", "yearly"}
	scheduleKeys  = []string{"every", "session", "weekday"}
	weekdays      = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
)

// schedule reads SCHEDULE: a word, or a dictionary with every and either
// session or weekday.
func (c *checker) schedule(l literal) backtest.Schedule {
	switch v := l.value.(type) {
	case string:
		return backtest.Schedule{Every: c.oneOf("SCHEDULE", l, scheduleWords), Session: -1}
	case []entry:
		return c.scheduleForm(l, v)
	}
	x := c.found.Add(dialect.RuleConstantInvalid, l.at, "SCHEDULE is %s: it must be a word or a dictionary", l.kind())
	x.Accepted = append(append([]string{}, scheduleWords...), constantForms[scheduleConstant][1:]...)
	return backtest.Schedule{}
}

func (c *checker) scheduleForm(l literal, entries []entry) backtest.Schedule {
	s := backtest.Schedule{Session: -1}
	var every, session, weekday *literal
	meant := false // whether a key is every, misspelt
	for i := range entries {
		e := &entries[i]
		switch key := e.key.value.(string); key {
		case "every":
			every = &e.value
			s.Every = c.oneOf("SCHEDULE every", e.value, scheduleWords)
		case "session":
			session = &e.value
			n, ok := e.value.value.(int64)
			if !ok || n == 0 || n < -366 || n > 366 {
				x := c.found.Add(dialect.RuleConstantInvalid, e.value.at, "SCHEDULE session is %s: it must be an integer, 1 for the first of the period, -1 for the last", describe(e.value))
				x.Text = describe(e.value)
				continue
			}
			s.Session = int(n)
		case "weekday":
			weekday = &e.value
			s.Weekday = c.weekday(e.value)
		default:
			x := c.found.Add(dialect.RuleConstantInvalid, e.key.at, "SCHEDULE has no key %q", key)
			x.Text, x.Accepted, x.Suggestion = key, scheduleKeys, dialect.Likely(key, scheduleKeys)
			meant = meant || x.Suggestion == "every"
		}
	}
	switch {
	case every == nil && meant:
	case every == nil:
		x := c.found.Add(dialect.RuleConstantInvalid, l.at, `SCHEDULE has no "every"`)
		x.Accepted = scheduleWords
	case weekday != nil && s.Every != "weekly":
		c.found.Add(dialect.RuleConstantInvalid, weekday.at, "weekday applies only to weekly")
	case weekday != nil && session != nil:
		c.found.Add(dialect.RuleConstantInvalid, session.at, "SCHEDULE takes a session or a weekday, not both")
	case session != nil && s.Every == "daily":
		c.found.Add(dialect.RuleConstantInvalid, session.at, "daily takes no session: each day is one session")
	}
	return s
}

// oneOf returns the string that l holds if it is one of accepted, and reports a
// problem otherwise.
func (c *checker) oneOf(what string, l literal, accepted []string) string {
	s, _ := l.value.(string)
	for _, a := range accepted {
		if s == a {
			return s
		}
	}
	x := c.found.Add(dialect.RuleConstantInvalid, l.at, "%s is %s", what, describe(l))
	x.Text, x.Accepted, x.Suggestion = s, accepted, dialect.Likely(s, accepted)
	return ""
}

func (c *checker) weekday(l literal) string {
	s, _ := l.value.(string)
	if len(s) > 3 && strings.HasSuffix(strings.ToLower(s), "day") {
		short := strings.ToLower(s[:3])
		for _, d := range weekdays {
			if d == short {
				x := c.found.Add(dialect.RuleConstantInvalid, l.at, "SCHEDULE weekday is %s: write its three letters", describe(l))
				x.Text, x.Accepted, x.Suggestion = s, weekdays, d
				return ""
			}
		}
	}
	return c.oneOf("SCHEDULE weekday", l, weekdays)
}
