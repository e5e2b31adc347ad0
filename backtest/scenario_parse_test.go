package backtest_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// The language of the scenario files in testdata/scenarios. A line that is not indented
// is a directive; indented lines belong to it; # starts a comment.
//
//	load returns | prices    a table: date, then one column per member
//	load models M …          results kept by "run as", as members
//	clear                    remove the members
//	model                    schedule, fill, start, cash, and the decisions
//	run [until DATE] [as M]  on the bars up to a date; stored under a name
//	expect …                 rows, some rows, ledger, warnings, summary, decisions, axis, error
//
// In a table "." is a day without a bar, and "-" is the first bar in a column of returns.
// "D to E" means each session that the exchange planned from D to E, "D through E" each
// day. A member's name is followed by /seven-day or /delisted if that applies. Every
// number may be an expression such as 1000*1.1^2.

// directive is a directive with its lines.
type directive struct {
	line
	body []line
}

// line is one line, split into words.
type line struct {
	file  string
	at    int
	text  string // the line without its comment
	words []string
}

func (l line) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", l.file, l.at, fmt.Errorf(format, args...))
}

// parseScenario splits a text into its directives.
func parseScenario(file, text string) ([]directive, error) {
	var all []directive
	for i, raw := range strings.Split(text, "\n") {
		raw, _, _ = strings.Cut(raw, "#")
		l := line{file: file, at: i + 1, text: strings.TrimRight(raw, " \t"), words: strings.Fields(raw)}
		switch {
		case len(l.words) == 0:
		case raw[0] != ' ' && raw[0] != '\t':
			if !slices.Contains([]string{"load", "clear", "model", "run", "expect"}, l.words[0]) {
				return nil, l.errorf("%q is none of load, clear, model, run and expect", l.words[0])
			}
			all = append(all, directive{line: l})
		case len(all) == 0:
			return nil, l.errorf("the line is indented, but belongs to nothing")
		default:
			d := &all[len(all)-1]
			d.body = append(d.body, l)
		}
	}
	return all, nil
}

// days reads the date or dates at the start of a line, and returns the words after them.
func (l line) days() ([]timeseries.Date, []string, error) {
	first, err := l.date(l.words[0])
	if err != nil {
		return nil, nil, err
	}
	if len(l.words) < 3 || l.words[1] != "to" && l.words[1] != "through" {
		return []timeseries.Date{first}, l.words[1:], nil
	}
	last, err := l.date(l.words[2])
	if err != nil {
		return nil, nil, err
	}
	cal := calendar.XNYS()
	if l.words[1] == "through" {
		cal = calendar.AllDays()
	}
	var days []timeseries.Date
	for d := first; d <= last; d++ {
		if calendar.IsSession(cal, d) {
			days = append(days, d)
		}
	}
	if len(days) == 0 {
		return nil, nil, l.errorf("no session from %s to %s", first, last)
	}
	return days, l.words[3:], nil
}

func (l line) date(word string) (timeseries.Date, error) {
	d, err := timeseries.ParseDate(word)
	if err != nil {
		return 0, l.errorf("%w", err)
	}
	return d, nil
}

func (l line) number(word string) (float64, error) {
	v, err := arithmetic(word)
	if err != nil {
		return 0, l.errorf("%w", err)
	}
	return v, nil
}

// table is a header and rows of cells, one row per day.
type table struct {
	header line
	names  []string
	rows   []tableRow
}

type tableRow struct {
	line
	day   timeseries.Date
	cells []string
}

func (d directive) table() (*table, error) {
	if len(d.body) == 0 || d.body[0].words[0] != "date" {
		return nil, d.errorf("a table begins with a header: date, then its columns")
	}
	t := &table{header: d.body[0], names: d.body[0].words[1:]}
	for _, l := range d.body[1:] {
		days, cells, err := l.days()
		if err != nil {
			return nil, err
		}
		if len(cells) != len(t.names) {
			return nil, l.errorf("%d cells under %d columns", len(cells), len(t.names))
		}
		for _, day := range days {
			if n := len(t.rows); n > 0 && t.rows[n-1].day >= day {
				return nil, l.errorf("%s does not come after %s", day, t.rows[n-1].day)
			}
			t.rows = append(t.rows, tableRow{line: l, day: day, cells: cells})
		}
	}
	return t, nil
}

// members reads a table of returns or prices.
func (d directive) members(prices bool) ([]timeseries.Source, error) {
	t, err := d.table()
	if err != nil {
		return nil, err
	}
	sources := make([]timeseries.Source, len(t.names))
	for i, name := range t.names {
		s := &sources[i]
		flags := strings.Split(name, "/")
		s.Key, s.Series.Base = flags[0], timeseries.NoDate
		for _, f := range flags[1:] {
			switch f {
			case "seven-day":
				s.SevenDay = true
			case "delisted":
				s.Delisted = true
			default:
				return nil, t.header.errorf("%q is neither seven-day nor delisted", f)
			}
		}
		price := math.NaN()
		for _, row := range t.rows {
			if err := row.bar(s, row.cells[i], prices, &price); err != nil {
				return nil, err
			}
		}
	}
	return sources, nil
}

// bar adds one cell to a series; price is the member's last price.
func (r tableRow) bar(s *timeseries.Source, cell string, prices bool, price *float64) error {
	if cell == "." {
		return nil
	}
	first := s.Series.Empty()
	if !prices && first != (cell == "-") {
		return r.errorf("%s: the first bar of a column of returns is -, and no other", s.Key)
	}
	if cell == "-" && !prices {
		s.Series.Base = r.day
		return nil
	}
	v, err := r.number(cell)
	if err != nil {
		return err
	}
	if prices {
		v, *price = v / *price - 1, v
	}
	if first {
		s.Series.Base = r.day
		return nil
	}
	s.Series.Dates, s.Series.Returns = append(s.Series.Dates, r.day), append(s.Series.Returns, v)
	return nil
}

// scenarioModel is the content of a model block.
type scenarioModel struct {
	at        line
	spec      backtest.Spec
	target    map[string]float64 // on every session without its own line
	plan      map[timeseries.Date]map[string]float64
	planned   map[timeseries.Date]line
	otherwise bool // sessions without their own line are None
	band      float64
	relative  bool
	records   []scenarioRecord
	keep      int // maximum rows of the ledger; 0 means the engine's default
	script    []string
}

// scenarioRecord is a line "record NAME WHAT [on DATE]".
type scenarioRecord struct {
	name, what string
	value      float64
	on         timeseries.Date
}

func (d directive) model() (*scenarioModel, error) {
	m := &scenarioModel{
		at: d.line,
		spec: backtest.Spec{
			Schedule: backtest.Schedule{Every: "daily"}, Fill: backtest.FillClose, Start: backtest.StartAllMembers,
			StartDate: timeseries.NoDate, InitialCash: 1000,
		},
		plan: map[timeseries.Date]map[string]float64{}, planned: map[timeseries.Date]line{},
	}
	for _, l := range d.body {
		if err := m.read(l); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *scenarioModel) read(l line) (err error) {
	w := l.words
	if w[0] == "|" {
		_, code, _ := strings.Cut(l.text, "|")
		m.script = append(m.script, strings.TrimPrefix(code, " "))
		return nil
	}
	if len(w) < 2 {
		return l.errorf("%s needs a value", w[0])
	}
	switch {
	case w[0] == "schedule":
		return m.schedule(l)
	case w[0] == "fill":
		m.spec.Fill = backtest.Fill(w[1])
	case w[0] == "start" && w[1] == "date" && len(w) == 3:
		m.spec.StartDate, err = l.date(w[2])
	case w[0] == "start":
		m.spec.Start = backtest.Start(w[1])
	case w[0] == "cash":
		m.spec.InitialCash, err = l.number(w[1])
	case w[0] == "target":
		m.target, err = l.weights(w[1:])
	case w[0] == "band":
		m.relative = len(w) == 3 && w[2] == "relative"
		m.band, err = l.number(w[1])
	case w[0] == "ledger" && len(w) == 3 && w[2] == "rows":
		m.keep, err = strconv.Atoi(w[1])
	case w[0] == "otherwise" && w[1] == "none":
		m.otherwise = true
	case w[0] == "on" && len(w) > 2:
		return m.on(l)
	case w[0] == "record" && len(w) >= 3:
		return m.record(l)
	default:
		return l.errorf("%q is not understood", strings.Join(w, " "))
	}
	return err
}

func (m *scenarioModel) schedule(l line) (err error) {
	w := l.words
	s := backtest.Schedule{Every: w[1], Session: -1}
	switch {
	case len(w) == 4 && w[2] == "session":
		s.Session, err = strconv.Atoi(w[3])
	case len(w) == 3:
		s = backtest.Schedule{Every: w[1], Weekday: w[2]}
	case len(w) != 2:
		return l.errorf("a schedule is a word, a word and a session, or weekly and a weekday")
	}
	m.spec.Schedule = s
	return err
}

func (m *scenarioModel) on(l line) error {
	day, err := l.date(l.words[1])
	if err != nil {
		return err
	}
	m.planned[day] = l
	if l.words[2] == "none" {
		m.plan[day] = nil
		return nil
	}
	m.plan[day], err = l.weights(l.words[2:])
	return err
}

func (m *scenarioModel) record(l line) (err error) {
	r := scenarioRecord{name: l.words[1], what: l.words[2], on: timeseries.NoDate}
	if r.what != "equity" && r.what != "cash" && !strings.HasPrefix(r.what, backtest.WeightPrefix) {
		if r.value, err = l.number(r.what); err != nil {
			return err
		}
	}
	if len(l.words) == 5 && l.words[3] == "on" {
		r.on, err = l.date(l.words[4])
	}
	m.records = append(m.records, r)
	return err
}

// weights reads "A 0.6 B 0.4", or "cash".
func (l line) weights(words []string) (map[string]float64, error) {
	weights := map[string]float64{}
	if len(words) == 1 && words[0] == "cash" {
		return weights, nil
	}
	if len(words)%2 != 0 {
		return nil, l.errorf("a target is members and weights by turns, or cash")
	}
	for k := 0; k < len(words); k += 2 {
		v, err := l.number(words[k+1])
		if err != nil {
			return nil, err
		}
		weights[words[k]] = v
	}
	return weights, nil
}
