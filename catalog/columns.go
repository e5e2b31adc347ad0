package catalog

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ballast/catalog/classify"
	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/timeseries"
)

// columns reads the rows of a file after its columns have been identified.
type columns struct {
	at        map[string]int // column by field
	names     []string       // of the columns
	mapping   *Mapping
	assetType string // of all rows, if no column gives it
}

// newColumns finds the fields among a file's columns: as the mapping says, else by their
// usual names.
func newColumns(file string, names []string, assetType string, m *Mapping) (*columns, error) {
	if m == nil {
		m = &Mapping{}
	}
	c := &columns{at: map[string]int{}, names: slices.Clone(names), mapping: m, assetType: assetType}
	position := make(map[string]int, len(names))
	for i, n := range names {
		if _, ok := position[columnKey(n)]; !ok {
			position[columnKey(n)] = i
		}
	}
	detect := func(field string, candidates []string) {
		for _, name := range candidates {
			if i, ok := position[name]; ok {
				c.at[field] = i
				return
			}
		}
	}
	for _, f := range textFields {
		detect(f.name, f.columns)
	}
	for _, f := range otherFields {
		detect(f.name, f.columns)
	}
	if err := m.place(c, file, position); err != nil {
		return nil, err
	}
	if _, ok := c.at["symbol"]; !ok {
		return nil, fault.New(fault.InvalidBody, "%s has no symbol or ticker column%s; it has %s. A mapping file can name the column: columns: {symbol: …}",
			file, nearestOf("symbol", names), strings.Join(names, ", "))
	}
	if c.assetType == "" {
		c.assetType = m.Type
	}
	if c.assetType == "" {
		c.assetType = impliedType(file, position)
	}
	if c.assetType != "" && !slices.Contains(Types, c.assetType) {
		return nil, fault.New(fault.InvalidBody, "type %q: accepted are %s", c.assetType, strings.Join(Types, ", "))
	}
	if _, ok := c.at["type"]; !ok && c.assetType == "" {
		return nil, fault.New(fault.InvalidBody, "%s does not say what type of asset its rows are; set --type to etf, fund, stock or crypto", file)
	}
	return c, nil
}

// columnKey returns a column's name in the form in which names are compared.
func columnKey(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_")
}

// nearestOf returns the name that was probably meant.
func nearestOf(name string, names []string) string {
	if near := nearest.Match(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// impliedType finds the type of all rows from columns that only one type has, or else
// from the file's name.
func impliedType(file string, position map[string]int) string {
	if _, ok := position["cryptocurrency"]; ok {
		return "crypto"
	}
	if _, ok := position["industry_group"]; ok {
		return "stock"
	}
	base := strings.ToLower(file)
	for _, t := range []struct{ part, kind string }{{"etf", "etf"}, {"fund", "fund"}, {"crypto", "crypto"}, {"equit", "stock"}, {"stock", "stock"}} {
		if strings.Contains(base, t.part) {
			return t.kind
		}
	}
	return ""
}

// unread returns the columns that no field is read from.
func (c *columns) unread() []string {
	var out []string
	for i, name := range c.names {
		used := false
		for _, at := range c.at {
			used = used || at == i
		}
		if !used {
			out = append(out, name)
		}
	}
	return out
}

// text returns a field of a line, cleaned, and translated if the mapping has a value for
// it.
func (c *columns) text(fields []string, field string) string {
	i, ok := c.at[field]
	if !ok || i >= len(fields) {
		return ""
	}
	s := strings.TrimSpace(fields[i])
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
	}
	if ours, ok := c.mapping.Values[field][s]; ok {
		return ours
	}
	return strings.Clone(s)
}

// read reads a line. refusal says why the line is left out; doubts say which of its
// fields are left blank, and why.
func (c *columns) read(fields []string) (r *row, refusal string, doubts []string) {
	r = &row{symbol: strings.ToUpper(c.text(fields, "symbol")), texts: make([]string, len(textFields)), inception: timeseries.NoDate}
	if r.symbol == "" {
		return nil, "no symbol", nil
	}
	if !listed.MatchString(r.symbol) {
		return nil, "the symbol is not valid: it must begin with a letter, a digit or ^, and have at most 40 letters, digits, spaces and . ^ = : / & + _ @ -", nil
	}
	if r.kind = c.assetType; c.text(fields, "type") != "" {
		written := strings.ToLower(c.text(fields, "type"))
		if r.kind = typeNames[strings.ReplaceAll(written, " ", "")]; r.kind == "" {
			return nil, fmt.Sprintf("unknown type %q; accepted are %s", written, strings.Join(Types, ", ")), nil
		}
	}
	if r.kind == "" {
		return nil, "no type", nil
	}
	l := line{c: c, fields: fields}
	for i, f := range textFields {
		r.texts[i] = l.text(f.name)
		if f.name == "sector" {
			r.texts[i] = l.sector(r.texts[i])
		}
	}
	r.aum, r.expenseRatio = l.size("aum"), l.ratio()
	r.marketCap = l.marketCap(r)
	r.inception, r.delisted = l.date("inception_date"), l.truth("delisted")
	l.state(r)
	return r, "", l.doubts
}

// Limits of fields. A larger value means that the file is damaged or uses the column for
// something else.
const (
	mostText     = 1_000  // bytes
	mostSummary  = 20_000 // bytes
	mostMoney    = 1e15   // USD
	mostLeverage = 100
)

// listed matches symbols of listings, in upper case.
var listed = regexp.MustCompile(`^[A-Z0-9^][A-Z0-9.^=:/&+_@ -]{0,39}$`)

// line reads the fields of one line that need checks.
type line struct {
	c      *columns
	fields []string
	doubts []string
}

func (l *line) doubt(field, why string) {
	l.doubts = append(l.doubts, fmt.Sprintf("%s %s; left blank", field, why))
}

// text reads a string that is shown unchanged.
func (l *line) text(field string) string {
	text, most := l.c.text(l.fields, field), mostText
	if field == "summary" {
		most = mostSummary
	}
	switch {
	case len(text) > most:
		l.doubt(field, fmt.Sprintf("is longer than %d bytes", most))
		return ""
	case strings.ContainsRune(text, utf8.RuneError):
		l.doubt(field, "is not in UTF-8")
		return ""
	}
	return text
}

// sector reads the sector that the source's words mean.
func (l *line) sector(words string) string {
	if words == "" {
		return ""
	}
	value, ok := classify.Sector(words)
	if !ok {
		l.doubt(fmt.Sprintf("sector %q", words), "is unknown; accepted are "+strings.Join(classify.Sectors(), ", "))
	}
	return value
}

// amount reads a number from 0 to most.
func (l *line) amount(field string, most float64) *float64 {
	text := l.c.text(l.fields, field)
	if text == "" {
		return nil
	}
	x := number(text)
	if x == nil || *x < 0 || *x > most {
		l.doubt(field, fmt.Sprintf("is not a number from 0 to %g", most))
		return nil
	}
	return x
}

// size reads an amount of money.
func (l *line) size(field string) *float64 { return l.amount(field, mostMoney) }

// marketCap reads an amount of money, or the band that some files give instead.
func (l *line) marketCap(r *row) *float64 {
	band := strings.ToLower(l.c.text(l.fields, "market_cap"))
	if !strings.HasSuffix(band, " cap") {
		return l.size("market_cap")
	}
	if tag, ok := bands[band]; ok {
		r.stated = append(r.stated, classify.Evidence{Field: "tags", Value: tag, Source: sizeBand, Words: band})
	}
	return nil
}

// ratio reads the expense ratio, as a fraction or in percent.
func (l *line) ratio() *float64 {
	if percent := l.amount("expense_ratio_pct", 100); percent != nil {
		fraction := *percent / 100
		return &fraction
	}
	return l.amount("expense_ratio", 1)
}

func (l *line) date(field string) timeseries.Date {
	text := l.c.text(l.fields, field)
	if text == "" {
		return timeseries.NoDate
	}
	d, err := timeseries.ParseDate(text)
	if err != nil {
		l.doubt(field, "is not a date written YYYY-MM-DD")
		return timeseries.NoDate
	}
	return d
}

func (l *line) truth(field string) *bool {
	text := l.c.text(l.fields, field)
	if text == "" {
		return nil
	}
	is := truth(text)
	if is == nil {
		l.doubt(field, "is not true or false")
	}
	return is
}

// state reads the classification that the file itself states.
func (l *line) state(r *row) {
	add := func(field, value string) {
		column := columnKey(l.c.names[l.c.at[field]])
		r.stated = append(r.stated, classify.Evidence{Field: field, Value: value, Source: statedByFile, Words: column})
	}
	for _, f := range closedFields {
		value := strings.ReplaceAll(strings.ToLower(l.c.text(l.fields, f.name)), " ", "_")
		switch {
		case value == "":
		case slices.Contains(f.values, value):
			add(f.name, value)
		default:
			l.doubt(f.name, "is not one of "+strings.Join(f.values, ", "))
		}
	}
	if text := l.c.text(l.fields, "leverage"); text != "" {
		if x := number(text); x != nil && math.Abs(*x) <= mostLeverage {
			add("leverage", text)
		} else {
			l.doubt("leverage", fmt.Sprintf("is not a number from -%d to %d", mostLeverage, mostLeverage))
		}
	}
	if is := l.truth("hedged"); is != nil {
		add("hedged", fmt.Sprint(*is))
	}
	if tags := l.tags(); len(tags) > 0 {
		add("tags", strings.Join(tags, ","))
	}
}

// tags reads tags of the vocabulary, separated by commas, semicolons or spaces.
func (l *line) tags() []string {
	var out []string
	for _, tag := range strings.FieldsFunc(l.c.text(l.fields, "tags"), func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '|' }) {
		switch {
		case !known[tag]:
			l.doubt("tag "+tag, "is unknown")
		case !slices.Contains(out, tag):
			out = append(out, tag)
		}
	}
	slices.Sort(out)
	return out
}
