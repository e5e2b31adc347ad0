package bars

import (
	"errors"
	"time"

	"ballast/timeseries"
)

// Prefix begins the key of every object of the bar store.
const Prefix = "bars/"

// Version numbers the changes of the bar store, ascending from 1: every import
// that changes something and every compaction takes the next one.
type Version = int64

// Latest asks for the current state rather than that of a version.
const Latest Version = 0

// ErrConflict says that the manifest has moved on since a change's base
// version; the change is worked out again on the new state.
var ErrConflict = errors.New("the bar manifest has changed in the meantime")

// Convention says what an asset's total returns were computed from.
type Convention string

// The conventions, in the order in which an import prefers them.
const (
	Adjusted      Convention = "adjusted"       // adj_close[t]/adj_close[t-1] - 1
	CloseDividend Convention = "close_dividend" // (close[t]·split[t] + dividend[t])/close[t-1] - 1
	TotalReturn   Convention = "total_return"   // given as they are
)

// Asset is what the manifest knows of the bars of one asset, at the latest
// version. An asset that the catalog knows and that has no bars yet has Rows 0
// and zero values besides ID and Symbol, with First and Last NoDate.
type Asset struct {
	ID          string
	Symbol      string
	Convention  Convention
	First       timeseries.Date // of the first bar
	Last        timeseries.Date // of the last bar
	Rows        int64           // bars
	WeekendRows int64           // bars on a Saturday or Sunday
	SevenDay    bool            // trades at weekends: more than one bar in twenty falls on one
	Version     Version         // the import that last changed the bars (bars_version)
}

// Ref names the place of a segment: rows Offset and on of one row group of one object.
type Ref struct {
	Object   string // key in the bucket
	RowGroup int    // from 0
	Offset   int64  // first row inside the row group
}

// Segment is contiguous rows of one asset, in date order, inside one row group
// of one object. It belongs to the versions AddedIn ≤ v, and v < RemovedIn
// where that is not 0.
type Segment struct {
	Ref
	AssetID   string
	Rows      int64
	First     timeseries.Date
	Last      timeseries.Date
	AddedIn   Version
	RemovedIn Version // 0 while current
}

// Snapshot is the manifest's answer about some assets, consistent in itself:
// everything in it was read in one transaction.
type Snapshot struct {
	Version  Version   // the latest version of the whole store, 0 while it is empty
	Assets   []Asset   // those asked for that exist, in no order
	Segments []Segment // of those assets, ordered by AssetID, then First
}

// Kind says what made a version.
type Kind string

// The kinds of change.
const (
	ImportKind     Kind = "import"
	CompactionKind Kind = "compaction"
)

// Record describes a change for those who look it up later.
type Record struct {
	Kind   Kind
	File   string // base name of the imported file, empty for a compaction
	SHA256 string // of the file's bytes as they are on disk, 64 hex digits, empty for a compaction
	Rows   int64  // rows of the file, or rows rewritten
	Report []byte // JSON of Report, nil for a compaction
	At     time.Time
}

// Change is all that one import or compaction changes, committed in one transaction.
type Change struct {
	Base    Version // Snapshot.Version that the change was computed on
	Record  Record
	Assets  []Asset   // new state of each asset whose bars change; Version is ignored and set. Empty for a compaction
	Added   []Segment // AddedIn and RemovedIn are ignored: the new version, and 0
	Removed []Ref     // current segments that the new version no longer has

	Restated []Restatement // assets whose stored history changes, for those who are to be told
}

// Restatement is a change of what was stored of an asset.
type Restatement struct {
	AssetID string
	Symbol  string
	From    timeseries.Date // the first bar that is added, changed or moved
}
