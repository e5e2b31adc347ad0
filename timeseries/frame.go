package timeseries

// Frame is a panel of daily total returns on one shared axis, a column a member.
// It is immutable once built: Align makes it from series, DecodeFrame from
// Arrow memory without a copy.
type Frame struct {
	Axis        []Date   // sessions, strictly ascending
	Members     []Member // columns, in the order of the model's universe
	BarsPerYear int      // 252, or 365 on calendar days
	Calendar    string   // "XNYS", or "24/7" on calendar days
}

// Member is one column of a Frame.
type Member struct {
	Key      string    // the symbol, unique in the frame
	Returns  []float64 // one a session, daily fraction; 0 up to the first bar and on sessions without a bar
	Bars     []byte    // Arrow validity bitmap over the axis: whether the session has a bar of the member's own
	First    int       // axis position of the first bar, -1 without bars
	Last     int       // axis position of the last bar, -1 without bars
	Delisted bool      // the catalog says that no bar follows Last
	SevenDay bool      // has bars at weekends; closed days are compounded into the next session
}

// HasBar reports whether the member has a bar of its own on axis position t.
func (m *Member) HasBar(t int) bool { return m.Bars[t>>3]&(1<<(t&7)) != 0 }

// Source is one member before alignment.
type Source struct {
	Key      string
	Series   Series
	SevenDay bool
	Delisted bool
}
