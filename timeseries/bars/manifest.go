package bars

import (
	"errors"
	"time"

	"ballast/timeseries"
)

// Prefix is the prefix of the keys of all objects of the bar store.
const Prefix = "bars/"

// Version numbers the changes of the bar store, ascending from 1: every import that
// changes something and every compaction creates one.
type Version = int64

// Latest means the current state rather than that of a version.
const Latest Version = 0

// ErrConflict says that the manifest has changed since a change's base version. The
// change must be worked out again on the new state.
var ErrConflict = errors.New("the bar manifest has changed in the meantime")

// Convention is the kind of price that an asset's total returns were computed from.
type Convention string

// The conventions, in the order in which an import prefers them.
const (
	Adjusted      Convention = "adjusted"       // adj_close[t]/adj_close[t-1] - 1
	CloseDividend Convention = "close_dividend" // (close[t]·split[t] + dividend[t])/close[t-1] - 1
	TotalReturn   Convention = "total_return"   // given as they are
)

// Asset is the manifest's record of one asset's bars, at the latest version. An asset of
// the catalog without bars has Rows 0, First and Last NoDate, and zero values besides ID
// and Symbol.
type Asset struct {
	ID          string
	Symbol      string
	Convention  Convention
	First       timeseries.Date // of the first bar
	Last        timeseries.Date // of the last bar
	Rows        int64           // bars
	WeekendRows int64           // bars on a Saturday or Sunday
	SevenDay    bool            // trades at weekends: more than one bar in twenty is on one
	Version     Version         // the import that last changed the bars (bars_version)
}

// Ref is the place of a segment: the rows from Offset on in one row group of one object.
type Ref struct {
	Object   string // key in the bucket
	RowGroup int    // from 0
	Offset   int64  // first row inside the row group
}

// Segment is contiguous rows of one asset, in date order, inside one row group of one
// object. It belongs to the versions v with AddedIn ≤ v and, unless RemovedIn is 0, v <
// RemovedIn.
type Segment struct {
	Ref
	AssetID   string
	Rows      int64
	First     timeseries.Date
	Last      timeseries.Date
	AddedIn   Version
	RemovedIn Version // 0 while current
}

// Snapshot is the manifest's answer about some assets, read in one transaction and so
// consistent.
type Snapshot struct {
	Version  Version   // the latest version of the whole store, 0 while it is empty
	Assets   []Asset   // the requested assets that exist, in no particular order
	Segments []Segment // of those assets, sorted by AssetID, then First
}

// Kind is what created a version.
type Kind string

// The kinds of change.
const (
	ImportKind     Kind = "import"
	CompactionKind Kind = "compaction"
)

// Record describes a change for later lookup.
type Record struct {
	Kind   Kind
	File   string // base name of the imported file, empty for a compaction
	SHA256 string // of the file's bytes as stored, 64 hex digits, empty for a compaction
	Rows   int64  // rows of the file, or rows rewritten
	Report []byte // JSON of Report, nil for a compaction
	At     time.Time
}

// Change is everything that one import or compaction changes, committed in one
// transaction.
type Change struct {
	Base    Version // Snapshot.Version on which the change is based
	Record  Record
	Assets  []Asset   // new state of each asset whose bars change; Version is ignored and set. Empty for a compaction
	Added   []Segment // AddedIn and RemovedIn are ignored and become the new version and 0
	Removed []Ref     // current segments that the new version no longer has

	Restated []Restatement // assets whose stored history changes, for those to be notified
}

// Restatement is a change of an asset's stored bars.
type Restatement struct {
	AssetID string
	Symbol  string
	From    timeseries.Date // the first bar that is added, changed or moved
}
