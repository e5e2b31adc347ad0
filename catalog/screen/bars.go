package screen

import (
	"slices"

	"ballast/catalog"
)

// withBars returns the snapshot with other bar ranges, or false if one belongs to an
// asset that the snapshot does not have. Everything else is shared.
func (s *Snapshot) withBars(ranges []catalog.BarRange) (*Snapshot, bool) {
	out := *s
	out.firstPrice, out.lastPrice = slices.Clone(s.firstPrice), slices.Clone(s.lastPrice)
	moved := false
	for _, r := range ranges {
		low, high := s.tickers(r.Symbol)
		if low == high || s.symbol.at(uint32(low)) != r.Symbol || s.id.at(uint32(low)) != r.ID {
			return nil, false
		}
		moved = moved || out.firstPrice[low] != r.First
		out.firstPrice[low], out.lastPrice[low] = r.First, r.Last
	}
	if moved {
		out.sortFirstPrices()
	}
	return &out, true
}
