package screen

// codes holds a field's codes by row.
type codes struct {
	first []uint32 // from the first row on
	step  uint32   // distance from one row's code to the next
}

// consecutive returns codes that are stored one after another.
func consecutive(list []uint32) codes { return codes{first: list, step: 1} }

func (c codes) code(row uint32) uint32 { return c.first[row*c.step] }

// count returns the number of rows with each code below n.
func (c codes) count(rows []uint32, n int) []uint32 {
	counts := make([]uint32, n)
	for _, r := range rows {
		counts[c.first[r*c.step]]++
	}
	return counts
}

// wovenFields is the number of codes of a row that fit into a cache line.
const wovenFields = 16

// weave stores the codes of several fields side by side, row by row. Facets count all
// codes of a row, and a record shows them all, so that a row needs one cache line instead
// of one per field.
func weave(rows int, fields ...*codes) {
	if rows == 0 {
		return
	}
	woven := make([]uint32, rows*wovenFields)
	for i, f := range fields {
		for row := range rows {
			woven[row*wovenFields+i] = f.code(uint32(row))
		}
		*f = codes{first: woven[i:], step: wovenFields}
	}
}
