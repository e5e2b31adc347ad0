//go:build !amd64

package drift

func (p *Panel) run(sum, hold []float64, members []int, from int) {
	p.plain(sum, hold, members, from)
}
