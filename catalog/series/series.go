package series

import (
	"time"

	"ballast/timeseries"
)

// Frequency is how often a series has a value.
type Frequency string

// The frequencies.
const (
	Daily   Frequency = "daily"
	Monthly Frequency = "monthly"
)

// Kind is what the values of a series are.
type Kind string

// The kinds.
const (
	Return Kind = "return" // earned over the day or month, a fraction
	Rate   Kind = "rate"   // an annual rate, a fraction
	Index  Kind = "index"  // a level, above 0
)

// Unit is the unit in which values are given. They are stored as fractions.
type Unit string

// The units.
const (
	Fraction Unit = "fraction"
	Percent  Unit = "percent"
)

// Series is one version of a series, without its values.
type Series struct {
	ID        string // series_…
	AccountID string // "" if it is the operator's, which every account reads
	Name      string
	Version   int // from 1
	Frequency Frequency
	Kind      Kind
	Lag       int // sessions after a value's date before a decision may see it
	Columns   []Column
	Rows      int
	First     timeseries.Date
	Last      timeseries.Date
	Added     int // values that the version added to the one before it
	Restated  int // values that the version changed
	CreatedAt time.Time
	UpdatedAt time.Time // when the version was made
}

// Public reports whether every account may read the series.
func (s *Series) Public() bool { return s.AccountID == "" }

// Column describes one column of a series.
type Column struct {
	Key     string          `json:"key"`
	First   timeseries.Date `json:"first"` // date of the first value
	Last    timeseries.Date `json:"last"`
	Values  int             `json:"values"`
	Missing int             `json:"missing"` // dates between first and last without a value
}

// Values is one column of a series with its values, in ascending order of date. Missing
// values are left out. The slices are shared and must not be changed.
type Values struct {
	Of     *Series
	Key    string
	Dates  []timeseries.Date
	Values []float64
}

// Name returns how the column is referred to: NAME.KEY.
func (v *Values) Name() string { return v.Of.Name + "." + v.Key }

// Limits on what an account may bring.
const (
	MostSeries = 200       // series of an account
	MostKeys   = 200       // columns of a series
	MostRows   = 50_000    // dates of a series
	MostCells  = 2_000_000 // dates times columns of a series
	MostLag    = 260       // sessions
)

// Earliest and Latest bound the dates of values.
var (
	Earliest = timeseries.NewDate(1700, 1, 1)
	Latest   = timeseries.NewDate(2100, 12, 31)
)
