package simulate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ballast/internal/moments"
)

// drawer gives each path its months, in order.
type drawer interface {
	// draw gives the month t of some paths: its returns by member, and its inflation
	// where the months have one. Where the month is one of history, it is that month's
	// number and nothing else.
	draw(paths []draw, t int)
	// past reports whether months are those of history.
	past() bool
}

// draw is where a path stands in its source.
type draw struct {
	stream stream
	month  int       // of history
	values []float64 // by member, then inflation; nil where months are those of history
}

// next goes to the month after, and from the last of all to the first.
func (d *draw) next(months int) {
	d.month++
	if d.month == months {
		d.month = 0
	}
}

// drawerOf makes the plan's drawer.
func drawerOf(p *Plan, lengths *Lengths) drawer {
	n := p.Months.Len()
	block := p.Block
	switch p.Source {
	case Stationary:
		if block == 0 {
			block = lengths.used(lengths.Stationary)
		}
		return stationary{months: n, chance: 1 / block}
	case Circular:
		if block == 0 {
			block = lengths.used(lengths.Circular)
		}
		return circular{months: n, length: max(int(math.Round(block)), 1)}
	case Independent:
		return circular{months: n, length: 1}
	case History:
		return replay{}
	default:
		return fitted(p)
	}
}

type stationary struct {
	months int
	chance float64 // of a new block
}

func (stationary) past() bool { return true }

// draw uses one number a month: where it says that a block begins, what is left of
// it says where.
func (d stationary) draw(paths []draw, t int) {
	begins := uint64(math.Ceil(d.chance * 0x1p53)) // u < chance for the bits below it
	for i := range paths {
		p := &paths[i]
		switch bits := p.stream.bits(t); {
		case t == 0:
			p.month = min(int(fraction(bits)*float64(d.months)), d.months-1)
		case bits < begins:
			p.month = min(int(fraction(bits)/d.chance*float64(d.months)), d.months-1)
		default:
			p.next(d.months)
		}
	}
}

type circular struct{ months, length int }

func (circular) past() bool { return true }

func (d circular) draw(paths []draw, t int) {
	begins := t%d.length == 0
	for i := range paths {
		p := &paths[i]
		if begins {
			p.month = min(int(p.stream.uniform(t/d.length)*float64(d.months)), d.months-1)
		} else {
			p.next(d.months)
		}
	}
}

// replay is history as it was: path p begins with month p.
type replay struct{}

func (replay) past() bool { return true }

func (replay) draw(paths []draw, t int) {
	for i := range paths {
		paths[i].month = int(paths[i].stream.from.path) + t
	}
}

// gaussian draws from a normal distribution, or a Student t, that has the months'
// means and covariances.
type gaussian struct {
	means   []float64
	least   []float64   // what a value is at least
	factor  [][]float64 // lower triangle whose product with its transpose is the covariance
	freedom int         // even; 0 for a normal
}

func (gaussian) past() bool { return false }

// fitted fits a distribution to the members' months.
func fitted(p *Plan) gaussian {
	columns := p.Months.Returns
	if p.Months.Inflation != nil {
		columns = append(slices.Clip(columns), p.Months.Inflation)
	}
	d := gaussian{means: make([]float64, len(columns)), factor: make([][]float64, len(columns)), least: slices.Repeat([]float64{-1}, len(columns))}
	if p.Months.Inflation != nil {
		d.least[len(columns)-1] = leastInflation
	}
	data := mat.NewDense(p.Months.Len(), len(columns), nil)
	for i, c := range columns {
		data.SetCol(i, c)
		d.means[i] = moments.Mean(c)
	}
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, data, nil)
	factorize(&covariance, d.factor)
	if p.Source == StudentT {
		d.freedom = freedom(p.ownMonths())
	}
	return d
}

// factorize is Cholesky's factorisation. A column that those before it explain gets
// zeros, so that members which move together are no error.
func factorize(a *mat.SymDense, l [][]float64) {
	for i := range l {
		l[i] = make([]float64, i+1)
		for j := range l[i] {
			sum := a.At(i, j)
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			switch {
			case i == j && sum > 1e-14*a.At(i, i):
				l[i][j] = math.Sqrt(sum)
			case i != j && l[j][j] > 0:
				l[i][j] = sum / l[j][j]
			}
		}
	}
}

// freedom is the even number of degrees of freedom, from 4 to 30, whose excess
// kurtosis 6/(ν−4) is nearest to that of the months.
func freedom(x []float64) int {
	mean, sum2, sum4 := moments.Mean(x), 0.0, 0.0
	for _, v := range x {
		q := (v - mean) * (v - mean)
		sum2 += q
		sum4 += q * q
	}
	excess := float64(len(x))*sum4/(sum2*sum2) - 3
	if !(excess > 0) {
		return 30
	}
	return min(max(2*int(math.Round((4+6/excess)/2)), 4), 30)
}

// draw uses a number for each value; a Student t uses half its degrees of freedom
// more, whose product is a chi-squared.
func (d gaussian) draw(paths []draw, t int) {
	for i := range paths {
		d.drawOne(&paths[i], t)
	}
}

func (d gaussian) drawOne(p *draw, t int) {
	k := len(d.means)
	each := k + d.freedom/2
	scale := 1.0
	if d.freedom > 0 {
		product := 1.0
		for j := k; j < each; j++ {
			product *= between(p.stream.uniform(t*each + j))
		}
		scale = math.Sqrt(float64(d.freedom-2) / (-2 * math.Log(product)))
	}
	if p.values == nil {
		p.values = make([]float64, 2*k)
	}
	z := p.values[k:]
	for j := range k {
		z[j] = distuv.UnitNormal.Quantile(between(p.stream.uniform(t*each + j)))
	}
	for i := range k {
		v := 0.0
		for j, f := range d.factor[i] {
			v += f * z[j]
		}
		p.values[i] = max(d.means[i]+scale*v, d.least[i])
	}
}

// between moves a number of [0, 1) off its ends.
func between(u float64) float64 { return u + 0x1p-54 }
