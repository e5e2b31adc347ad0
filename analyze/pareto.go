package analyze

import (
	"math"
	"slices"
)

// Limits of the Pareto tail.
const (
	paretoLevel   = 0.9  // the quantile of the losses at which the tail begins
	minExceedings = 20   // losses beyond it that a fit needs
	minShape      = -0.5 // below it, maximum likelihood has no usual properties (Smith 1985)
)

func generalisedPareto(sorted []float64, level float64) Tail {
	if level <= paretoLevel || len(sorted) == 0 {
		return noTail(GeneralisedPareto)
	}
	threshold := -percentile(sorted, 1-paretoLevel)
	var beyond []float64 // losses beyond the threshold, ascending
	for _, v := range slices.Backward(sorted) {
		if -v > threshold {
			beyond = append(beyond, -v-threshold)
		}
	}
	if len(beyond) < minExceedings {
		return noTail(GeneralisedPareto)
	}
	shape, scale, ok := fitPareto(beyond)
	odds := float64(len(sorted)) / float64(len(beyond)) * (1 - level)
	if !ok || odds >= 1 { // ties at the threshold leave fewer losses beyond it than the level needs
		return noTail(GeneralisedPareto)
	}
	out := Tail{Method: GeneralisedPareto, ValueAtRisk: threshold - scale*math.Log(odds), ExpectedShortfall: missing}
	if shape != 0 {
		out.ValueAtRisk = threshold + scale/shape*math.Expm1(-shape*math.Log(odds))
	}
	if shape < 1 {
		out.ExpectedShortfall = (out.ValueAtRisk + scale - shape*threshold) / (1 - shape)
	}
	return out
}

// fitPareto returns the shape and scale of the generalised Pareto distribution with the
// greatest likelihood for excesses, which are positive and ascending. The likelihood has
// a maximum for each ratio θ = shape/scale, which leaves one equation in θ (Grimshaw
// 1993). Of several roots it takes the one nearest to the exponential distribution,
// where θ is 0. ok is false if there is none with a shape above −0.5.
func fitPareto(excesses []float64) (shape, scale float64, ok bool) {
	p := newParetoLikelihood(excesses)
	var low, high float64 // the likelihood rises with θ at low and falls at high
	if p.slope(0) > 0 {
		for high = 1e-3; p.slope(high) > 0; high *= 2 {
			low = high
		}
	} else {
		end := -1 / p.largest // θ stays above it: the distribution ends there
		for part := 1e-3; ; part = (part + 1) / 2 {
			low = end * part
			if part == 1 || p.shape(low) < minShape {
				return 0, 0, false
			}
			if p.slope(low) > 0 {
				break
			}
			high = low
		}
	}
	for {
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if p.slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	shape = p.shape(low)
	return shape, p.mean * p.ratio(low), true
}

// paretoLikelihood is the likelihood of excesses with their mean as the unit, as a
// function of θ.
type paretoLikelihood struct {
	values        []float64
	mean          float64 // of the excesses
	largest       float64 // of values
	second, third float64 // mean square and mean cube of values
}

func newParetoLikelihood(excesses []float64) *paretoLikelihood {
	n := float64(len(excesses))
	p := &paretoLikelihood{values: slices.Clone(excesses)}
	for _, v := range excesses {
		p.mean += v / n
	}
	for i := range p.values {
		p.values[i] /= p.mean
		v := p.values[i]
		p.second += v * v / n
		p.third += v * v * v / n
	}
	p.largest = p.values[len(p.values)-1]
	return p
}

// nearZero is the θ below which quotients by θ lose so many digits that their series are
// better.
const nearZero = 1e-5

// shape is the mean of log(1 + θv), the best shape for θ.
func (p *paretoLikelihood) shape(theta float64) float64 {
	sum := 0.0
	for _, v := range p.values {
		sum += math.Log1p(theta * v)
	}
	return sum / float64(len(p.values))
}

// ratio is shape/θ, the best scale.
func (p *paretoLikelihood) ratio(theta float64) float64 {
	if math.Abs(theta) < nearZero {
		return 1 - theta*p.second/2 + theta*theta*p.third/3
	}
	return p.shape(theta) / theta
}

// slope is the derivative by θ of the mean log-likelihood −log(shape/θ) − shape − 1.
func (p *paretoLikelihood) slope(theta float64) float64 {
	if math.Abs(theta) < nearZero {
		return p.second/2 - 1 + theta*(p.second+p.second*p.second/4-2*p.third/3)
	}
	sum := 0.0
	for _, v := range p.values {
		sum += v / (1 + theta*v)
	}
	change := sum / float64(len(p.values)) // of the shape by θ
	return 1/theta - change/p.shape(theta) - change
}
