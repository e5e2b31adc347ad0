package console

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ballast/internal/fault"
)

// shape is a form for a common kind of model. It is sent on as words, so the form, its
// words and its script always mean the same.
type shape struct {
	Kind      string // fixed, momentum or average
	Rows      []shapeRow
	Schedule  string
	Months    string // over how many months momentum is measured, or the moving average is
	Hold      string // how many members momentum holds
	Otherwise string // what is held while nothing rises; "" for cash
}

// shapeRow is a member and, for fixed weights, its share in percent.
type shapeRow struct{ Member, Share string }

// Kinds of forms.
const (
	shapeFixed    = "fixed"
	shapeMomentum = "momentum"
	shapeAverage  = "average"
)

// shapeKinds are the forms, with what each is called.
var shapeKinds = []struct{ Value, Name string }{
	{shapeFixed, "Fixed weights"}, {shapeMomentum, "Momentum: hold the strongest"}, {shapeAverage, "Moving average: hold each while it rises"},
}

// shapeSchedules are the schedules that forms offer.
var shapeSchedules = []string{"daily", "weekly", "monthly", "quarterly", "yearly"}

// Rows of a form: how many it shows at first, and at most.
const (
	firstRows = 4
	mostRows  = 50
)

// Kinds returns the forms, for the template.
func (shape) Kinds() []struct{ Value, Name string } { return shapeKinds }

// Schedules returns the schedules, for the template.
func (shape) Schedules() []string { return shapeSchedules }

// emptyShape is the form before it is filled in, with members that are separated by
// commas.
func emptyShape(members string) shape {
	s := shape{Kind: shapeFixed, Schedule: "monthly", Months: "10", Hold: "1"}
	for member := range strings.SplitSeq(members, ",") {
		if member = strings.TrimSpace(member); member != "" && len(s.Rows) < mostRows {
			s.Rows = append(s.Rows, shapeRow{Member: member})
		}
	}
	for len(s.Rows) < firstRows {
		s.Rows = append(s.Rows, shapeRow{})
	}
	return s
}

// shapeOf reads a form. It adds empty rows at the end, so that there is always room for
// another member.
func shapeOf(form url.Values) shape {
	s := shape{Kind: form.Get("shape"), Schedule: form.Get("schedule"), Months: form.Get("months"), Hold: form.Get("hold"), Otherwise: strings.TrimSpace(form.Get("otherwise"))}
	shares := form["share"]
	for i, member := range form["member"] {
		row := shapeRow{Member: strings.TrimSpace(member)}
		if i < len(shares) {
			row.Share = strings.TrimSuffix(strings.TrimSpace(shares[i]), "%")
		}
		if row != (shapeRow{}) && len(s.Rows) < mostRows {
			s.Rows = append(s.Rows, row)
		}
	}
	for n := max(firstRows, len(s.Rows)+2); len(s.Rows) < min(n, mostRows); {
		s.Rows = append(s.Rows, shapeRow{})
	}
	return s
}

// filled returns the rows that have a member, and requires at least one.
func (s *shape) filled() ([]shapeRow, error) {
	rows := slices.DeleteFunc(slices.Clone(s.Rows), func(row shapeRow) bool { return row == shapeRow{} })
	for i, row := range rows {
		if row.Member == "" {
			return nil, incomplete("member", "row %d has a share but no member", i+1)
		}
		if strings.ContainsFunc(row.Member, func(c rune) bool { return c == '"' || c < ' ' }) {
			return nil, incomplete("member", "%q cannot contain quotation marks", row.Member)
		}
	}
	if len(rows) == 0 {
		return nil, incomplete("member", "name at least one member by its symbol, such as SPY")
	}
	return rows, nil
}

// words says in words what the form says. It returns fault.InvalidBody for a form that is
// not complete.
func (s *shape) words() (string, error) {
	rows, err := s.filled()
	if err != nil {
		return "", err
	}
	if !slices.Contains(shapeSchedules, s.Schedule) {
		return "", incomplete("schedule", "must be one of %s", strings.Join(shapeSchedules, ", "))
	}
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = named(row.Member)
	}
	otherwise := "cash"
	if s.Otherwise != "" {
		otherwise = named(s.Otherwise)
	}
	switch s.Kind {
	case shapeFixed:
		for i, row := range rows {
			share, err := strconv.ParseFloat(row.Share, 64)
			if err != nil || !(share > 0 && share <= 1000) {
				return "", incomplete("share", "the share of %s must be a number above 0, in percent", row.Member)
			}
			names[i] = strconv.FormatFloat(share, 'f', -1, 64) + "% " + names[i]
		}
		return joined(names) + ", rebalanced " + s.Schedule, nil
	case shapeMomentum:
		months, err := whole("months", s.Months, 1, 36)
		if err != nil {
			return "", err
		}
		hold, err := whole("hold", s.Hold, 1, len(rows))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("top %d of %s by %d month momentum, only if positive, otherwise %s, %s", hold, joined(names), months, otherwise, s.Schedule), nil
	case shapeAverage:
		months, err := whole("months", s.Months, 1, 36)
		if err != nil {
			return "", err
		}
		each := ", each only while above its"
		if len(rows) == 1 {
			return fmt.Sprintf("hold %s when above its %d month moving average, otherwise %s, %s", names[0], months, otherwise, s.Schedule), nil
		}
		return fmt.Sprintf("equal weight %s%s %d month average, otherwise %s, %s", joined(names), each, months, otherwise, s.Schedule), nil
	}
	return "", incomplete("shape", "must be fixed, momentum or average")
}

func incomplete(field, format string, arguments ...any) *fault.Error {
	return fault.New(fault.InvalidBody, "The form is not complete yet; details name the field.").With(fault.Detail{Field: field, Message: fmt.Sprintf(format, arguments...)})
}

func whole(field, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < least || n > most {
		return 0, incomplete(field, "must be a whole number from %d to %d", least, most)
	}
	return n, nil
}

// symbolPattern matches what words can name without quotation marks.
var symbolPattern = regexp.MustCompile(`^[A-Z][A-Z0-9.-]{0,11}$`)

// named is a member as words name it: a symbol, or the quoted name of a model.
func named(member string) string {
	if upper := strings.ToUpper(member); symbolPattern.MatchString(upper) {
		return upper
	}
	return `"` + member + `"`
}

func joined(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
