package timeseries

// Frame is a panel of daily total returns on one shared axis, one column per member. It
// is immutable once built: Align builds it from series, DecodeFrame from Arrow memory
// without copying.
type Frame struct {
	Axis        []Date    // sessions, strictly ascending
	Members     []Member  // columns, in the order of the model's universe
	BarsPerYear int       // 252, or 365 on calendar days
	Calendar    string    // "XNYS", or "24/7" on calendar days
	Outside     []Outside // values from outside, such as factors, with the sessions at which they become known
}

// Member is one column of a Frame.
type Member struct {
	Key      string    // the symbol, unique in the frame
	Returns  []float64 // one per session, daily fraction; 0 up to the first bar and on sessions without a bar
	Bars     []byte    // Arrow validity bitmap over the axis: whether the member itself has a bar on the session
	First    int       // axis position of the first bar, -1 if there is none
	Last     int       // axis position of the last bar, -1 if there is none
	Delisted bool      // the catalog says that no bar follows Last
	SevenDay bool      // has bars at weekends; closed days are compounded into the next session
}

// HasBar reports whether the member itself has a bar at axis position t.
func (m *Member) HasBar(t int) bool { return m.Bars[t>>3]&(1<<(t&7)) != 0 }

// Source is one member before alignment.
type Source struct {
	Key      string
	Series   Series
	SevenDay bool
	Delisted bool
}
