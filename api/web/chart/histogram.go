package chart

import (
	"fmt"
	"math"
	"slices"
)

// Bin is a bar of a histogram: values from From, up to but without To. The last bin has
// To as well.
type Bin struct {
	From, To float64
	Count    int
	Share    float64 // of all values
}

const maxBins = 40

// histogram counts the values of the column x. If a few values lie far beyond the
// others, they are counted but not drawn, and a note says so.
func histogram(f *Figure) *Drawing {
	values := slices.DeleteFunc(slices.Clone(f.X.Numbers), func(v float64) bool { return !finite(v) })
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	d := &Drawing{}
	drawn := d.trimmed(values, f.X.Unit)
	low, high := drawn[0], drawn[len(drawn)-1]
	low, high = widened(low, high)
	width := round(high-low, maxBins)
	from := math.Floor(low/width+1e-9) * width
	n := max(int(math.Ceil((high-from)/width-1e-9)), 1)
	d.Bins = make([]Bin, n)
	for i := range d.Bins {
		d.Bins[i].From, d.Bins[i].To = from+float64(i)*width, from+float64(i+1)*width
	}
	most := 0.0
	for _, v := range drawn {
		b := &d.Bins[min(max(int(math.Floor((v-from)/width)), 0), n-1)]
		b.Count++
		b.Share = float64(b.Count) / float64(len(values))
		most = max(most, b.Share)
	}
	ends := Column{Numbers: []float64{from, from + float64(n)*width}, Unit: f.X.Unit}
	x, ok := horizontal(&ends)
	if !ok {
		return nil
	}
	y := levels(0, most, true)
	d.axes(x, y, unitFraction)
	d.YName = "per cent of the values"
	for _, b := range d.Bins {
		if b.Count == 0 {
			continue
		}
		top := y.at(b.Share)
		d.Boxes = append(d.Boxes, Box{
			Class: "s0", X: place(x.at(b.From)), Y: place(top), Width: place((x.at(b.To) - x.at(b.From)) * .94), Height: place(100 - top),
			Title: fmt.Sprintf("%s to %s: %s values, %s", Text(b.From, f.X.Unit), Text(b.To, f.X.Unit), grouped(float64(b.Count), 0), Text(b.Share, unitFraction)),
		})
	}
	at := func(q float64) string {
		return Text(values[int(q*float64(len(values)-1))], f.X.Unit)
	}
	d.Description = fmt.Sprintf("%s values: 5 %% are below %s, half are below %s, 5 %% are above %s.", grouped(float64(len(values)), 0), at(.05), at(.5), at(.95))
	return d
}

// trimmed leaves out the highest and the lowest hundredth of sorted values where they
// would make the drawing more than twice as wide.
func (d *Drawing) trimmed(values []float64, unit string) []float64 {
	n := len(values)
	low, high := 0, n
	if n >= 100 {
		bulk := values[n-n/100-1] - values[n/100]
		if values[n-1]-values[n/100] > 2*bulk && bulk > 0 {
			high = n - n/100
		}
		if values[high-1]-values[0] > 2*bulk && bulk > 0 {
			low = n / 100
		}
	}
	if high < n {
		d.note("%s of %s values lie beyond the right edge, up to %s.", grouped(float64(n-high), 0), grouped(float64(n), 0), Text(values[n-1], unit))
	}
	if low > 0 {
		d.note("%s of %s values lie beyond the left edge, down to %s.", grouped(float64(low), 0), grouped(float64(n), 0), Text(values[0], unit))
	}
	return values[low:high]
}
