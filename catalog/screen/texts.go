package screen

import "strings"

// texts stores strings in one large string. Equal neighbours, and later repeats if seen
// is set, are stored once.
type texts struct {
	data string
	from []uint32 // by row: where it begins
	to   []uint32 // by row: where it ends
}

func (t *texts) at(row uint32) string { return t.data[t.from[row]:t.to[row]] }

// textsBuilder collects strings.
type textsBuilder struct {
	data     strings.Builder
	from, to []uint32
	seen     map[string][2]uint32 // nil where repeats are rare
}

func (b *textsBuilder) add(s string) {
	if at, ok := b.seen[s]; ok {
		b.from, b.to = append(b.from, at[0]), append(b.to, at[1])
		return
	}
	from := uint32(b.data.Len())
	b.data.WriteString(s)
	to := uint32(b.data.Len())
	if b.seen != nil {
		b.seen[strings.Clone(s)] = [2]uint32{from, to}
	}
	b.from, b.to = append(b.from, from), append(b.to, to)
}

func (b *textsBuilder) build() texts {
	// The builder's buffer grows by doubling; the clone is exactly as long as needed.
	return texts{data: strings.Clone(b.data.String()), from: b.from, to: b.to}
}
