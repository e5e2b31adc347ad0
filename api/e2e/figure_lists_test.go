package e2e

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"ballast/metrics"
)

// listedModel is one model of a list with its figures.
type listedModel struct {
	id      string
	figures gjson.Result
	labels  []string
}

func (g *guest) listed(path string) (models []listedModel, total int) {
	g.t.Helper()
	a := g.want(http.MethodGet, path, nil)
	for _, one := range gjson.Get(a.body, "data").Array() {
		m := listedModel{id: one.Get("id").String(), figures: one.Get("figures")}
		for _, l := range one.Get("labels").Array() {
			m.labels = append(m.labels, l.String())
		}
		models = append(models, m)
	}
	return models, int(gjson.Get(a.body, "total").Int())
}

func idsOf(models []listedModel) string {
	var ids []string
	for _, m := range models {
		ids = append(ids, m.id)
	}
	return strings.Join(ids, " ")
}

// figureOf returns a figure and whether it is defined.
func figureOf(m listedModel, name string) (float64, bool) {
	v := m.figures.Get(name)
	return v.Float(), v.Exists() && v.Type != gjson.Null
}

// TestListsByEveryFigure compares the sorts, filters and groups of lists, by each figure,
// with a plain computation over the figures of all models, and checks that pages neither
// skip nor repeat models while others are created.
func TestListsByEveryFigure(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	g := d.guest(t, "lists")
	create := func(script string) (model string) {
		a := g.want(http.MethodPost, "/v1/models", map[string]string{"script": script})
		var runID string
		check(t, d.db.Pool().QueryRow(t.Context(), "select id from runs where program_id = $1", a.get("id")).Scan(&runID))
		d.run(t, runID)
		return a.get("id")
	}
	for i := range 7 {
		model := create(fmt.Sprintf(figureScript, i, i, i*7+10))
		var labels []string
		if i%2 == 0 {
			labels = append(labels, "even")
		}
		if i%3 == 0 {
			labels = append(labels, "third")
		}
		g.want(http.MethodPatch, "/v1/models/"+model, map[string]any{"labels": labels})
	}
	create(strings.Replace(fmt.Sprintf(figureScript, 7, 7, 15), "return {first: 0.15, second: 0.5}", "return {}", 1)) // only cash: most ratios are null

	all, total := g.listed("/v1/models?include=figures&limit=200")
	if len(all) != 8 || total != 8 {
		t.Fatalf("%d models, %d in total", len(all), total)
	}
	for _, name := range metrics.FigureNames {
		for _, sort := range []string{name, "-" + name} {
			want := slices.Clone(all) // newest first, as equal ones stay
			slices.SortStableFunc(want, func(a, b listedModel) int {
				x, definedX := figureOf(a, name)
				y, definedY := figureOf(b, name)
				switch {
				case definedX != definedY:
					return map[bool]int{true: -1, false: 1}[definedX]
				case sort[0] == '-':
					return cmp.Compare(y, x)
				}
				return cmp.Compare(x, y)
			})
			if got, _ := g.listed("/v1/models?limit=200&sort=" + sort); idsOf(got) != idsOf(want) {
				t.Errorf("sort=%s: %s\n  want %s", sort, idsOf(got), idsOf(want))
			}
		}

		// The bound is a value that occurs, because bounds are inclusive.
		var bound float64
		for _, m := range all {
			if v, ok := figureOf(m, name); ok {
				bound = v
				break
			}
		}
		least, most := "min_"+name, "max_"+name
		if after, ok := strings.CutPrefix(name, "max_"); ok {
			least, most = "min_"+after, "max_"+after
		}
		value := func(m listedModel) (float64, bool) { return figureOf(m, name) }
		if name == "max_drawdown" { // bounded by its depth
			bound = math.Abs(bound)
			value = func(m listedModel) (float64, bool) {
				v, ok := figureOf(m, name)
				return math.Abs(v), ok
			}
		}
		for parameter, holds := range map[string]func(float64) bool{
			least: func(v float64) bool { return v >= bound },
			most:  func(v float64) bool { return v <= bound },
		} {
			var want []listedModel
			for _, m := range all {
				if v, ok := value(m); ok && holds(v) {
					want = append(want, m)
				}
			}
			path := fmt.Sprintf("/v1/models?limit=200&%s=%v", parameter, bound)
			if got, total := g.listed(path); idsOf(got) != idsOf(want) || total != len(want) {
				t.Errorf("%s: %s, total %d\n  want %s", path, idsOf(got), total, idsOf(want))
			}
		}
		for _, wrong := range []string{"min_" + name + "x=1", "sort=" + name + "x", least + "=many", least + "=NaN"} {
			a := g.call(http.MethodGet, "/v1/models?"+wrong, nil)
			if a.status != http.StatusUnprocessableEntity || a.fault() != "invalid_parameter" {
				t.Errorf("%s: %d %s", wrong, a.status, a.body)
			}
			if strings.Contains(wrong, "x") && strings.HasPrefix(wrong, "sort") && !strings.Contains(a.body, name) {
				t.Errorf("%s: the error does not name %s: %s", wrong, name, a.body)
			}
		}
		g.checkGroups(all, name)
	}

	// Pages while models are created: newer ones come last under this sort.
	var seen []listedModel
	for offset := 0; offset < len(all); offset += 2 {
		page, _ := g.listed(fmt.Sprintf("/v1/models?sort=created_at&limit=2&offset=%d", offset))
		seen = append(seen, page...)
		create(fmt.Sprintf(figureScript, 20+offset, 20+offset, 30))
	}
	oldest := slices.Clone(all)
	slices.Reverse(oldest)
	if idsOf(seen) != idsOf(oldest) {
		t.Errorf("pages: %s\n  want %s", idsOf(seen), idsOf(oldest))
	}
}

// checkGroups compares the groups by label under a sort with a plain computation.
func (g *guest) checkGroups(all []listedModel, name string) {
	g.t.Helper()
	members := map[string][]float64{}
	counts := map[string]int{}
	for _, m := range all {
		labels := m.labels
		if len(labels) == 0 {
			labels = []string{""}
		}
		for _, label := range labels {
			counts[label]++
			if v, ok := figureOf(m, name); ok {
				members[label] = append(members[label], v)
			}
		}
	}
	a := g.want(http.MethodGet, "/v1/models?group_by=label&limit=1&sort="+name, nil)
	groups := gjson.Get(a.body, "groups").Array()
	if len(groups) != len(counts) {
		g.t.Errorf("%d groups instead of %d: %s", len(groups), len(counts), a.body)
	}
	for _, group := range groups {
		label := group.Get("label").String()
		values := slices.Sorted(slices.Values(members[label]))
		if int(group.Get("models").Int()) != counts[label] {
			g.t.Errorf("group %q has %s models instead of %d", label, group.Get("models"), counts[label])
		}
		spread := group.Get("figures." + name)
		if len(values) == 0 {
			continue
		}
		n := len(values)
		median := values[n/2]
		if n%2 == 0 {
			median = (values[n/2-1] + values[n/2]) / 2
		}
		for what, want := range map[string]float64{"lowest": values[0], "median": median, "highest": values[n-1]} {
			if got := spread.Get(what).Float(); math.Abs(got-want) > 1e-12*math.Abs(want) {
				g.t.Errorf("group %q: the %s %s is %v instead of %v: %s", label, what, name, got, want, group)
			}
		}
	}
}
