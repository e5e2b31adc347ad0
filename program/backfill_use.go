package program

import (
	"ballast/catalog/backfill"
	"ballast/timeseries"
)

// BackfillUse is what a run read of a backfill.
type BackfillUse struct {
	ID      string            `json:"id"`
	Version int               `json:"version"`
	First   timeseries.Date   `json:"first"`   // the asset's own first bar
	Spliced []backfill.Splice `json:"spliced"` // the spans that proxies provide, earliest first
	Bars    []PinnedBars      `json:"bars"`    // version at which the bars of each proxy were read
}

// LatestBars returns the latest version of the proxies' bars that was read. It is 0
// for a nil use.
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

// Splices returns the spliced spans, or nil for a nil use.
func (u *BackfillUse) Splices() []backfill.Splice {
	if u == nil {
		return nil
	}
	return u.Spliced
}

// PinnedBars names an asset and a version of its bars.
type PinnedBars struct {
	ID          string `json:"id"`
	BarsVersion int64  `json:"bars_version"`
}
