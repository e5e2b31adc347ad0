package drift

import "golang.org/x/sys/cpu"

var hasKernel = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

func (p *Panel) run(sum, hold []float64, members []int, from, ahead int) {
	if octets := len(members) / 8; octets > 0 && hasKernel {
		runOctets(&sum[0], len(sum), &p.starts[0], &members[0], octets, &hold[0], from, 8*(len(sum)+8))
		members = members[8*octets:]
	}
	p.plain(sum, hold, members, from)
}

// runOctets is plain for eight members at a time. It asks for the ahead
// sessions after these, 0 for none.
//
//go:noescape
func runOctets(sum *float64, sessions int, starts **float64, members *int, octets int, hold *float64, from, ahead int)
