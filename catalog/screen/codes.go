package screen

// codes are a field's codes by row.
type codes struct {
	first []uint32 // from the first row's on
	step  uint32   // from one row's to the next one's
}

// apart are codes that lie one after another.
func apart(list []uint32) codes { return codes{first: list, step: 1} }

func (c codes) code(row uint32) uint32 { return c.first[row*c.step] }

// count gives the number of rows of each code below n.
func (c codes) count(rows []uint32, n int) []uint32 {
	counts := make([]uint32, n)
	for _, r := range rows {
		counts[c.first[r*c.step]]++
	}
	return counts
}

// wovenFields is how many codes of a row fit a line of the cache.
const wovenFields = 16

// weave lays the codes of several fields side by side, a row after another:
// facets count all of a row's, and a record shows them, so that they take one line
// of the cache instead of one each.
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
