package web

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"ballast/timeseries"
)

// view is what a reader asks to see of a result, in the address of its page.
type view struct {
	Ranges, Scales []choice
	Years          int // the last ones; 0 for all
	Benchmark      string
	Kept           []figure // other values of the address, which the form of the benchmark keeps
	linear         bool
	note           string // what is wrong with the address
}

// choice is one of several views, with its address.
type choice struct {
	Text, Address string
	Current       bool
}

// rangesOfYears are the periods that a page offers, besides the whole result.
var rangesOfYears = []int{1, 3, 5, 10}

// viewParameters describe the view as parameters of a page.
func viewParameters() []*huma.Param {
	return []*huma.Param{
		{Name: "years", In: "query", Description: "For a model: 1, 3, 5 or 10 shows the last years alone; by default the whole result", Schema: &huma.Schema{Type: huma.TypeString}},
		{Name: "scale", In: "query", Description: "For a model: linear draws growth on a linear scale; by default the scale is logarithmic", Schema: &huma.Schema{Type: huma.TypeString}},
	}
}

// extraParameters describe what a page shows besides only if it is asked to.
func extraParameters() []*huma.Param {
	return []*huma.Param{
		{Name: "compare", In: "query", Description: "For a model: up to 7 other results to overlay, separated by commas: ids of runs, and slugs, symbols or ids of models", Schema: &huma.Schema{Type: huma.TypeString}},
		{Name: "timing", In: "query", Description: "For the owner of a model: show computes how much of the result is due to the days on which it decides, which is metered as a run the first time", Schema: &huma.Schema{Type: huma.TypeString}},
	}
}

// viewAsked reads the view from an address. A value that is not offered counts as absent,
// and the note says so.
func viewAsked(values url.Values) *view {
	v := &view{Benchmark: values.Get("benchmark"), Kept: kept(values, append(costNames(), "years", "scale", "compare")...)}
	switch years := values.Get("years"); years {
	case "":
	case "1", "3", "5", "10":
		v.Years, _ = strconv.Atoi(years)
	default:
		v.note = fmt.Sprintf("The address asks for %q years; 1, 3, 5 and 10 are offered. The page shows the whole result.", years)
	}
	switch scale := values.Get("scale"); scale {
	case "", "log":
	case "linear":
		v.linear = true
	default:
		v.note = fmt.Sprintf("The address asks for the scale %q; log and linear are offered. The scale is logarithmic.", scale)
	}
	with := func(name, value string) string {
		changed := url.Values{}
		for k, held := range values {
			changed[k] = held
		}
		changed.Del(name)
		if value != "" {
			changed.Set(name, value)
		}
		return "?" + changed.Encode() // "?" alone is the page without parameters
	}
	for _, years := range rangesOfYears {
		text := fmt.Sprintf("%d years", years)
		if years == 1 {
			text = "1 year"
		}
		v.Ranges = append(v.Ranges, choice{text, with("years", strconv.Itoa(years)), v.Years == years})
	}
	v.Ranges = append(v.Ranges, choice{"All", with("years", ""), v.Years == 0})
	v.Scales = []choice{{"Logarithmic", with("scale", ""), !v.linear}, {"Linear", with("scale", "linear"), v.linear}}
	return v
}

// start returns the first day of the view of a result that ends on a day, or NoDate for
// all of it: with the same day some years before as its base.
func (v *view) start(last timeseries.Date) timeseries.Date {
	if v.Years == 0 {
		return timeseries.NoDate
	}
	year, month, day := last.YMD()
	return timeseries.NewDate(year-v.Years, month, day) + 1
}
