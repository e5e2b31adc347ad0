package drift

import "golang.org/x/sys/cpu"

var hasKernel = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

func (p *Panel) run(sum, hold []float64, members []int, from int) {
	if octets := len(members) / 8; octets > 0 && hasKernel {
		runOctets(&sum[0], len(sum), &p.starts[0], &members[0], octets, &hold[0], from, 8*(len(sum)+lineAhead))
		members = members[8*octets:]
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
