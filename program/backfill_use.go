package program

import (
	"ballast/catalog/backfill"
	"ballast/timeseries"
)

// BackfillUse is what a run has read of a backfill.
type BackfillUse struct {
	ID      string            `json:"id"`
	Version int               `json:"version"`
	First   timeseries.Date   `json:"first"`   // first bar of the asset's own
	Spliced []backfill.Splice `json:"spliced"` // the days that proxies give, the earliest first
	Bars    []PinnedBars      `json:"bars"`    // the version at which the bars of each proxy were read
}

// LatestBars is the latest version of the proxies' bars that was read.
func (u *BackfillUse) LatestBars() int64 {
	version := int64(0)
	if u == nil {
		return version
	}
	for _, p := range u.Bars {
		version = max(version, p.BarsVersion)
	}
	return version
}

// Splices are the stretches of a use, nil without one.
func (u *BackfillUse) Splices() []backfill.Splice {
	if u == nil {
		return nil
	}
	return u.Spliced
}

// PinnedBars is an asset at a version of its bars.
type PinnedBars struct {
	ID          string `json:"id"`
	BarsVersion int64  `json:"bars_version"`
}
