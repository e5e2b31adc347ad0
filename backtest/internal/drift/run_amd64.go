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

// lineAhead is a line of sessions more than a segment: the first line after it
// has come with its last, or was asked for before.
const lineAhead = 8

// runOctets is plain for eight members at a time. With every session it asks
// for the line that lies ahead bytes after it.
//
//go:noescape
func runOctets(sum *float64, sessions int, starts **float64, members *int, octets int, hold *float64, from, ahead int)

// runQuad is plain for four members, likewise.
//
//go:noescape
func runQuad(sum *float64, sessions int, starts **float64, members *int, hold *float64, from, ahead int)
