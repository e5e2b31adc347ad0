package drift

import "golang.org/x/sys/cpu"

var hasKernel = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

func (p *Panel) run(sum, hold []float64, members []int, from int) {
	ahead := 8 * (len(sum) + lineAhead)
	if octets := len(members) / 8; octets > 0 && hasKernel {
		runOctets(&sum[0], len(sum), &p.starts[0], &members[0], octets, &hold[0], from, ahead)
		members = members[8*octets:]
	}
	if len(members) >= 4 && hasKernel {
		runQuad(&sum[0], len(sum), &p.starts[0], &members[0], &hold[0], from, ahead)
		members = members[4:]
	}
	p.plain(sum, hold, members, from)
}

// lineAhead is one cache line of sessions. The kernel prefetches that far beyond the
// next segment's start, because the first line after a segment has already been
// loaded.
const lineAhead = 8

// runOctets is plain for eight members at a time. For every session it prefetches the
// line that is ahead bytes later.
//
//go:noescape
func runOctets(sum *float64, sessions int, starts **float64, members *int, octets int, hold *float64, from, ahead int)

// runQuad is plain for four members, with the same prefetching.
//
//go:noescape
func runQuad(sum *float64, sessions int, starts **float64, members *int, hold *float64, from, ahead int)
