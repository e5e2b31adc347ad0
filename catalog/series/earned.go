package series

import "math"

// daysAYear turns annual rates into those of a day.
const daysAYear = 252

// Earned returns the column as returns of its days or months, as analyses read it:
//
//	return           as it is
//	rate, daily      (1 + u)^(1/252) − 1 with the value u before it
//	rate, monthly    (1 + v)^(1/12) − 1
//	index            v/u − 1 with the value u before it
//
// The first value of an index or a daily rate has no return.
func (v *Values) Earned() *Values {
	out := &Values{Of: v.Of, Key: v.Key, Dates: v.Dates, Values: v.Values}
	switch {
	case v.Of.Kind == Return:
		return out
	case v.Of.Kind == Rate && v.Of.Frequency == Monthly:
		out.Values = make([]float64, len(v.Values))
		for i, x := range v.Values {
			out.Values[i] = math.Pow(1+x, 1.0/12) - 1
		}
		return out
	}
	if len(v.Dates) == 0 {
		return out
	}
	out.Dates, out.Values = v.Dates[1:], make([]float64, len(v.Values)-1)
	for i := range out.Values {
		if v.Of.Kind == Index {
			out.Values[i] = v.Values[i+1]/v.Values[i] - 1
		} else {
			out.Values[i] = math.Pow(1+v.Values[i], 1.0/daysAYear) - 1
		}
	}
	return out
}
