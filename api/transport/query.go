package transport

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/fault"
	"ballast/timeseries"
)

// CheckQuery checks a query against an operation's parameters; its error lists all
// problems. A list may be repeated or comma-separated; in the query that is returned,
// it is comma-separated, as huma expects it.
func CheckQuery(raw string, parameters []*huma.Param) (string, error) {
	given, err := url.ParseQuery(raw)
	if err != nil {
		return "", fault.New(fault.MalformedRequest, "The query cannot be decoded.").
			With(fault.Detail{Location: "query", Message: err.Error()})
	}
	normal, details := readQuery(given, parameters)
	if len(details) > 0 {
		return "", fault.New(fault.InvalidParameter, "The query is not valid for this operation. Details name each problem.").With(details...)
	}
	return normal.Encode(), nil
}

// readQuery checks the given values and returns one value per name.
func readQuery(given url.Values, parameters []*huma.Param) (url.Values, []fault.Detail) {
	known := map[string]*huma.Param{}
	var names []string
	for _, p := range parameters {
		if p.In == "query" {
			known[p.Name] = p
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	normal := url.Values{}
	var details []fault.Detail
	toldNames := false
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if len(details) == maxDetails {
			return nil, details
		}
		location := "query." + name
		p := known[name]
		if p == nil {
			detail := unknown(location, name, "query parameter", names)
			if toldNames && len(names) > mostRepeated {
				detail.Accepted = nil
			}
			toldNames = true
			details = append(details, detail)
			continue
		}
		value, problem := readParameter(p.Schema, given[name])
		if problem != nil {
			problem.Location = location
			details = append(details, *problem)
		} else if value != "" {
			normal.Set(name, value)
		}
	}
	for _, p := range parameters {
		if p.In == "query" && p.Required && !given.Has(p.Name) {
			details = append(details, fault.Detail{Location: "query." + p.Name, Message: "is required"})
		}
	}
	return normal, details
}

// unknown returns the detail for a name that is not accepted.
func unknown(location, name, kind string, accepted []string) fault.Detail {
	if accepted == nil {
		accepted = []string{}
	}
	message := fmt.Sprintf("unknown %s %q", kind, name)
	if len(accepted) == 0 {
		message += "; none is accepted here"
	}
	return fault.Detail{Location: location, Message: message, Accepted: accepted, Suggestion: nearest(name, accepted)}
}

// mostRepeated is how many accepted names every unknown parameter repeats; longer
// lists stand with the first one alone, so that an answer stays short.
const mostRepeated = 40

// MaxListed is how many entries a list in an address may have, unless its operation
// allows fewer.
const MaxListed = 1000

// readParameter checks one parameter's values and joins the entries of a list.
func readParameter(schema *huma.Schema, values []string) (string, *fault.Detail) {
	if schema.Type != huma.TypeArray {
		if len(values) > 1 {
			return "", &fault.Detail{Message: "is given more than once; send it once"}
		}
		switch text := values[0]; {
		case text == "" && DayFormat(schema) != "":
			return "", nil // a form sends an empty date
		case schema.Type == huma.TypeBoolean:
			return readBoolean(text)
		default:
			return text, checkScalar(schema, text)
		}
	}
	var items []string
	for _, v := range values {
		for item := range strings.SplitSeq(v, ",") {
			if problem := checkScalar(schema.Items, item); problem != nil {
				return "", problem
			}
			items = append(items, item)
		}
	}
	if n := len(items); schema.MinItems != nil && n < *schema.MinItems || schema.MaxItems != nil && n > *schema.MaxItems {
		return "", &fault.Detail{Message: fmt.Sprintf("lists %d; accepted are%s", n, count(schema))}
	}
	return strings.Join(items, ","), nil
}

// readBoolean parses a boolean as JSON, Python and shells write it.
func readBoolean(text string) (string, *fault.Detail) {
	switch text {
	case "true", "True", "TRUE", "1":
		return "true", nil
	case "false", "False", "FALSE", "0":
		return "false", nil
	}
	return "", &fault.Detail{Message: fmt.Sprintf("%q is not a boolean", text), Accepted: []string{"true", "false"}}
}

// DayFormat returns date or date-time if a schema takes dates or times, else "".
func DayFormat(schema *huma.Schema) string {
	if len(schema.AnyOf) > 0 { // as AllowEmptyDay makes it
		schema = schema.AnyOf[0]
	}
	if schema.Format == "date" || schema.Format == "date-time" {
		return schema.Format
	}
	return ""
}

// AllowEmptyDay lets an optional date or time be empty, as forms send it. It means
// the same as leaving it out.
func AllowEmptyDay(schema *huma.Schema) {
	if schema.Format == "" || DayFormat(schema) == "" {
		return
	}
	day := &huma.Schema{Type: schema.Type, Format: schema.Format, Nullable: schema.Nullable}
	schema.AnyOf = []*huma.Schema{day, {Type: huma.TypeString, Enum: []any{""}}}
	schema.Type, schema.Format, schema.Nullable = "", "", false
	schema.PrecomputeMessages()
}

// count describes how many items a list may have.
func count(schema *huma.Schema) string {
	switch {
	case schema.MinItems != nil && schema.MaxItems != nil:
		return fmt.Sprintf(" %d to %d", *schema.MinItems, *schema.MaxItems)
	case schema.MaxItems != nil:
		return fmt.Sprintf(" at most %d", *schema.MaxItems)
	}
	return fmt.Sprintf(" at least %d", *schema.MinItems)
}

// checkScalar checks the text of one value; nil means that it is valid.
func checkScalar(schema *huma.Schema, text string) *fault.Detail {
	if len(schema.Enum) > 0 {
		accepted := make([]string, len(schema.Enum))
		for i, e := range schema.Enum {
			accepted[i] = fmt.Sprint(e)
		}
		if slices.Contains(accepted, text) {
			return nil
		}
		return &fault.Detail{Message: fmt.Sprintf("%q is not one of the accepted values", text), Accepted: accepted, Suggestion: nearest(text, accepted)}
	}
	if day := DayFormat(schema); day != "" {
		return checkDay(day, text)
	}
	switch schema.Type {
	case huma.TypeInteger:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !within(schema, float64(n)) {
			return &fault.Detail{Message: fmt.Sprintf("%q is not an integer%s", text, Bounds(schema))}
		}
	case huma.TypeNumber:
		x, err := strconv.ParseFloat(text, 64)
		number := err == nil && !strings.ContainsAny(text, "_xX") && !math.IsNaN(x) && !math.IsInf(x, 0)
		if number && schema.Format == fractionFormat && x > *schema.Maximum {
			return &fault.Detail{Message: fmt.Sprintf("%s is more than 1; rates are fractions: 0.04 is 4 %%", text)}
		}
		if !number || !within(schema, x) {
			return &fault.Detail{Message: fmt.Sprintf("%q is not a number%s", text, Bounds(schema))}
		}
	case huma.TypeString:
		return checkText(schema, text)
	}
	return nil
}

// checkDay checks a date or a time.
func checkDay(format, text string) *fault.Detail {
	if format == "date" {
		if _, err := timeseries.ParseDate(text); err != nil {
			return &fault.Detail{Message: fmt.Sprintf("%q is not a date written YYYY-MM-DD", text)}
		}
		return nil
	}
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return &fault.Detail{Message: fmt.Sprintf("%q is not a time with its zone, as in 2026-01-31T15:04:05Z; write the + of an offset as %%2B", text)}
	}
	return nil
}

func checkText(schema *huma.Schema, text string) *fault.Detail {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return &fault.Detail{Message: "is not UTF-8 text without zero bytes"}
	}
	if schema.Format == risklessFormat {
		return checkRiskless(text)
	}
	n := utf8.RuneCountInString(text)
	if schema.MinLength != nil && n < *schema.MinLength {
		if n == 0 {
			return &fault.Detail{Message: "is empty"}
		}
		return &fault.Detail{Message: fmt.Sprintf("is shorter than %d characters", *schema.MinLength)}
	}
	if schema.MaxLength != nil && n > *schema.MaxLength {
		return &fault.Detail{Message: fmt.Sprintf("is longer than %d characters", *schema.MaxLength)}
	}
	return nil
}

// fractionFormat marks annual rates, which people often write as percentages.
const fractionFormat = "fraction"

// risklessFormat marks a risk-free rate: an annual fraction, or a column of a series.
const risklessFormat = "riskless"

// checkRiskless checks the form; whether the series exists is known later.
func checkRiskless(text string) *fault.Detail {
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && strings.Contains(text, ".") && strings.ContainsAny(text[:1], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"):
		return nil
	case err == nil && x > 1 && !math.IsInf(x, 0):
		return &fault.Detail{Message: fmt.Sprintf("%s is more than 1; rates are fractions: 0.04 is 4 %%", text)}
	case err != nil || strings.ContainsAny(text, "_xX") || !(x > -1 && x <= 1):
		return &fault.Detail{Message: fmt.Sprintf("%q is not a number above -1, up to 1, nor a column of a series, NAME.KEY", text)}
	}
	return nil
}

func within(schema *huma.Schema, x float64) bool {
	return (schema.Minimum == nil || x >= *schema.Minimum) && (schema.Maximum == nil || x <= *schema.Maximum) &&
		(schema.ExclusiveMinimum == nil || x > *schema.ExclusiveMinimum)
}

// Bounds says in words between which values a schema's numbers must be.
func Bounds(schema *huma.Schema) string {
	switch {
	case schema.Minimum != nil && schema.Maximum != nil:
		return fmt.Sprintf(" from %v to %v", *schema.Minimum, *schema.Maximum)
	case schema.ExclusiveMinimum != nil && schema.Maximum != nil:
		return fmt.Sprintf(" above %v, up to %v", *schema.ExclusiveMinimum, *schema.Maximum)
	case schema.Minimum != nil:
		return fmt.Sprintf(" of at least %v", *schema.Minimum)
	case schema.ExclusiveMinimum != nil:
		return fmt.Sprintf(" above %v", *schema.ExclusiveMinimum)
	}
	return ""
}
