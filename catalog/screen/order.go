package screen

import (
	"cmp"
	"math"
	"slices"
)

// order holds the rows sorted by a field. Rows without the field come last in either
// direction, and rows with equal fields are ordered by symbol.
type order struct {
	up, down []uint32 // rows
	rank     []uint32 // by row; rows with equal fields have the same rank, rows without the field none
}

const unranked = math.MaxUint32

// newOrder sorts n rows. compare compares two rows that both have the field.
func newOrder(n int, lacks func(row uint32) bool, compare func(x, y uint32) int) *order {
	o := &order{up: make([]uint32, 0, n), rank: make([]uint32, n)}
	var missing []uint32
	for row := range uint32(n) {
		if lacks(row) {
			missing = append(missing, row)
			o.rank[row] = unranked
		} else {
			o.up = append(o.up, row)
		}
	}
	slices.SortFunc(o.up, func(x, y uint32) int { return cmp.Or(compare(x, y), cmp.Compare(x, y)) })
	var rank uint32
	for i, row := range o.up {
		if i > 0 && compare(o.up[i-1], row) != 0 {
			rank++
		}
		o.rank[row] = rank
	}
	o.down = make([]uint32, 0, n)
	for high := len(o.up); high > 0; {
		low := high - 1
		for low > 0 && o.rank[o.up[low-1]] == o.rank[o.up[low]] {
			low--
		}
		o.down = append(o.down, o.up[low:high]...)
		high = low
	}
	o.up, o.down = append(o.up, missing...), append(o.down, missing...)
	return o
}

// page returns the rows [offset, offset+limit) of the set in this order.
func (o *order) page(s set, total int, ascending bool, offset, limit int) []uint32 {
	if total < len(o.rank)/32 { // then sorting them is faster than scanning the order
		return o.sorted(s, total, ascending, offset, limit)
	}
	rows := o.down
	if ascending {
		rows = o.up
	}
	page := make([]uint32, 0, limit)
	for _, row := range rows {
		if !s.has(row) {
			continue
		}
		if offset > 0 {
			offset--
			continue
		}
		if page = append(page, row); len(page) == limit {
			break
		}
	}
	return page
}

func (o *order) sorted(s set, total int, ascending bool, offset, limit int) []uint32 {
	rows := s.appendRows(make([]uint32, 0, total))
	keys := make([]uint64, len(rows))
	for i, row := range rows {
		rank := o.rank[row]
		if !ascending && rank != unranked {
			rank = unranked - 1 - rank
		}
		keys[i] = uint64(rank)<<32 | uint64(row)
	}
	slices.Sort(keys)
	from, to := min(offset, len(keys)), min(offset+limit, len(keys))
	page := rows[:0]
	for _, k := range keys[from:to] {
		page = append(page, uint32(k))
	}
	return page
}

// bySymbol returns the rows [offset, offset+limit) of the set by symbol.
func bySymbol(s set, ascending bool, offset, limit int) []uint32 {
	w := walk{skip: offset, most: limit}
	if ascending {
		w.over(s, 0, len(s)<<6, nil, false)
		return w.page
	}
	return descending(s, offset, limit)
}
