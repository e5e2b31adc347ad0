package webhook

import (
	"fmt"
	"strconv"
	"strings"
)

// Ports are port numbers besides 443 and 80, which are always among them.
type Ports struct {
	ranges [][2]uint16
}

// ParsePorts parses port numbers and ranges of ports, such as 8443 or 9000-9010.
func ParsePorts(texts []string) (Ports, error) {
	var p Ports
	for _, text := range texts {
		from, to, isRange := strings.Cut(strings.TrimSpace(text), "-")
		if !isRange {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 16)
		last, lastErr := strconv.ParseUint(to, 10, 16)
		if err != nil || lastErr != nil || first == 0 || last < first {
			return Ports{}, fmt.Errorf("%q is neither a port nor a range of ports; use a form like 8443 or 9000-9010", text)
		}
		p.ranges = append(p.ranges, [2]uint16{uint16(first), uint16(last)})
	}
	return p, nil
}

func (p Ports) allow(port uint16) bool {
	if port == 443 || port == 80 {
		return true
	}
	for _, r := range p.ranges {
		if port >= r[0] && port <= r[1] {
			return true
		}
	}
	return false
}

// String names all ports for use in a sentence.
func (p Ports) String() string {
	names := []string{"443", "80"}
	for _, r := range p.ranges {
		name := strconv.Itoa(int(r[0]))
		if r[1] > r[0] {
			name += "-" + strconv.Itoa(int(r[1]))
		}
		names = append(names, name)
	}
	return "the ports " + strings.Join(names, ", ")
}
