package analysis

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"ballast/analyze"
	"ballast/internal/nearest"
	"ballast/script"
	"ballast/timeseries"
)

// stress is what members went through in episodes, what their holdings of today would
// have, and what they would do if factors moved.
type stress struct {
	keys     []string
	episodes []analyze.Episode
	shocks   []shock
}

func newStress(a *arguments) operation {
	o := &stress{keys: a.keys("keys", 1), shocks: a.shocks("shocks")}
	if o.shocks == nil || a.values["episodes"] != starlark.None {
		o.episodes = a.episodes("episodes")
	}
	return o
}

// mostEpisodes is how many episodes one call takes.
const mostEpisodes = 50

// episodes reads a list of names of known episodes and of dictionaries with a name and
// the first and the last day. None stands for all known episodes.
func (a *arguments) episodes(parameter string) []analyze.Episode {
	v := a.values[parameter]
	if v == starlark.None {
		return analyze.Episodes
	}
	var known []string
	for _, e := range analyze.Episodes {
		known = append(known, e.Name)
	}
	const form = `{"name": "taper", "first": "2013-05-22", "last": "2013-06-24"}`
	list, ok := v.(*starlark.List)
	if !ok || list.Len() == 0 || list.Len() > mostEpisodes {
		a.wrong(parameter, "is "+shown(v), append(known, form, fmt.Sprintf("an array of up to %d of them", mostEpisodes))...)
		return nil
	}
	var episodes []analyze.Episode
	for i := range list.Len() {
		e, problem := episodeOf(list.Index(i), known)
		if problem == "" && slices.ContainsFunc(episodes, func(other analyze.Episode) bool { return other.Name == e.Name }) {
			problem = "names " + e.Name + " twice"
		}
		if problem != "" {
			a.wrong(parameter, problem, append(known, form)...)
			return nil
		}
		episodes = append(episodes, e)
	}
	return episodes
}

// episodeOf reads one episode, or says what is wrong with it.
func episodeOf(v starlark.Value, known []string) (e analyze.Episode, problem string) {
	if name, ok := starlark.AsString(v); ok {
		i := slices.Index(known, name)
		if i < 0 {
			problem = fmt.Sprintf("names %q, which is not a known episode", name)
			if near := nearest.Match(name, known); near != "" {
				problem += "; did you mean " + near + "?"
			}
			return e, problem
		}
		return analyze.Episodes[i], ""
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return e, "contains " + shown(v)
	}
	fields := map[string]string{}
	for _, item := range d.Items() {
		key, _ := starlark.AsString(item[0])
		text, ok := starlark.AsString(item[1])
		if !ok || text == "" || len(text) > 100 {
			return e, fmt.Sprintf("has an episode whose %s is %s", key, shown(item[1]))
		}
		fields[key] = text
	}
	first, err1 := timeseries.ParseDate(fields["first"])
	last, err2 := timeseries.ParseDate(fields["last"])
	switch {
	case len(fields) != 3 || fields["name"] == "":
		return e, "has an episode without exactly name, first and last"
	case err1 != nil || err2 != nil:
		return e, "has an episode whose first or last is not a date written YYYY-MM-DD"
	case first > last:
		return e, fmt.Sprintf("has an episode that ends on %s, before it begins on %s", last, first)
	}
	return analyze.Episode{Name: fields["name"], First: first, Last: last}, ""
}

func (o *stress) members() []string { return keysOf(o.keys, factorsOf(o.shocks)) }

func (o *stress) run(w *window, s *sheet) (string, error) {
	if o.shocks == nil {
		return o.through(w, s)
	}
	if err := shocked(w, s, o.keys, o.shocks); err != nil {
		return "", err
	}
	if o.episodes == nil {
		return "shocks", nil
	}
	return o.through(w, s)
}

// through sends the members through the episodes.
func (o *stress) through(w *window, s *sheet) (string, error) {
	var names, keys []string
	var first, last []timeseries.Date
	var own, today, fall []float64
	for _, e := range o.episodes {
		for _, key := range o.keys {
			series, err := w.whole(key)
			if err != nil {
				return "", err
			}
			path := analyze.Through(series, e)
			names, keys, first, last = append(names, e.Name), append(keys, key), append(first, e.First), append(last, e.Last)
			own, fall, today = append(own, path.Return), append(fall, path.Drawdown), append(today, w.today(key, series, e))
		}
	}
	s.figure(script.Figure{Name: "stress", Title: "Return in each episode", Kind: "heatmap", Table: "stress", X: "key", Y: []string{"episode", "own_return"}, YUnit: "fraction"})
	s.figure(script.Figure{Name: "stress_today", Title: "What the holdings of today would have returned", Kind: "heatmap", Table: "stress", X: "key", Y: []string{"episode", "today_return"}, YUnit: "fraction"})
	return "stress", s.table(script.Table{Name: "stress", Columns: []script.Column{
		texts("episode", names), datesColumn("first", first), datesColumn("last", last), texts("key", keys),
		numbers("own_return", own), numbers("today_return", today), numbers("drawdown", fall),
	}})
}

// whole returns all daily returns of a member, whatever the window.
func (w *window) whole(key string) (timeseries.Series, error) {
	all := *w
	all.first, all.last = timeseries.NoDate, timeseries.NoDate
	return all.series(key)
}

// today returns what the latest weights of a model would have returned in an episode,
// held without trading: the return of the member itself if it is no model, and NaN if a
// holding has no data for the whole episode.
func (w *window) today(key string, own timeseries.Series, e analyze.Episode) float64 {
	var weights []float64
	var series []timeseries.Series
	model := false
	for _, name := range w.heldBy(key) {
		model = true
		o := w.holdings[script.Holding{What: script.Weights, Member: key, Name: name}]
		if order(name) > 0 || len(o.Dates) == 0 || o.Dates[len(o.Dates)-1] != own.Last() {
			continue // cash, and what is held no longer
		}
		s := timeseries.Series{Base: timeseries.NoDate}
		if held := w.holdings[script.Holding{What: script.Held, Member: key, Name: name}]; held != nil && len(held.Dates) > 0 {
			s = timeseries.Series{Base: held.Dates[0], Dates: held.Dates[1:], Returns: held.Values[1:]}
		}
		weights, series = append(weights, o.Values[len(o.Values)-1]), append(series, s)
	}
	if !model {
		return analyze.Through(own, e).Return
	}
	return analyze.Held(weights, series, e).Return
}
