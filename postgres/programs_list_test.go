package postgres_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/metrics"
	"ballast/postgres"
	"ballast/program"
	"ballast/timeseries"
)

// listed stores models with random figures: some equal, some undefined, and some models
// without a result.
func listed(t testing.TB, db *postgres.DB, accountID string, n int, rng *rand.Rand) {
	t.Helper()
	for i := range n {
		d := newDraft(accountID, fmt.Sprintf("M%d", i))
		d.model.Name = fmt.Sprintf("model %c%d", 'a'+rng.IntN(4), i)
		d.model.CreatedAt = morning.Add(time.Duration(rng.IntN(5)) * time.Minute) // ties
		for _, l := range []string{"Core", "Satellite", "eu"} {
			if rng.IntN(3) == 0 {
				d.model.Labels = append(d.model.Labels, strings.Map(map[bool]func(rune) rune{true: lower, false: same}[rng.IntN(2) == 0], l))
			}
		}
		must(t, store(t.Context(), db, d))
		if rng.IntN(6) == 0 {
			continue
		}
		p := publication(d.run.ID)
		for k := range p.Figures.Values {
			switch rng.IntN(5) {
			case 0:
				p.Figures.Values[k] = math.NaN()
			case 1:
				p.Figures.Values[k] = float64(rng.IntN(3))
			default:
				p.Figures.Values[k] = rng.NormFloat64()
			}
			if strings.HasSuffix(metrics.FigureNames[k], "days") || metrics.FigureNames[k] == "sessions" {
				p.Figures.Values[k] = float64(rng.IntN(4))
			}
		}
		p.Figures.Start = timeseries.Date(1000 + rng.IntN(4))
		must(t, db.Publish(t.Context(), p))
	}
}

func lower(r rune) rune { return []rune(strings.ToLower(string(r)))[0] }
func same(r rune) rune  { return r }

// TestListsAreAPlainSort compares lists in every order, page by page, with a plain sort
// of the sheets, and bounds and groups with plain loops over them.
func TestListsAreAPlainSort(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	rng := rand.New(rand.NewPCG(7, 7))
	const n = 45
	listed(t, db, a, n, rng)
	listed(t, db, b, 3, rng) // must not be seen
	all, total, err := db.Models(t.Context(), a, program.ModelFilter{Figures: true, Limit: 200})
	must(t, err)
	if total != n || len(all) != n {
		t.Fatalf("%d of %d models, want %d", len(all), total, n)
	}
	newest := func(x, y *program.Sheet) int {
		return cmp.Or(y.CreatedAt.Compare(x.CreatedAt), cmp.Compare(y.ID, x.ID))
	}
	if !slices.IsSortedFunc(all, newest) {
		t.Error("the list is not the newest first")
	}
	pages := func(f program.ModelFilter) (ids []string) {
		t.Helper()
		f.Limit = 7
		for {
			page, total, err := db.Models(t.Context(), a, f)
			must(t, err)
			for _, m := range page {
				ids = append(ids, m.ID)
			}
			if f.Offset += f.Limit; f.Offset >= total {
				if len(ids) != total {
					t.Errorf("%d models on the pages of %d", len(ids), total)
				}
				return ids
			}
		}
	}
	idsOf := func(sheets []*program.Sheet) (ids []string) {
		for _, m := range sheets {
			ids = append(ids, m.ID)
		}
		return ids
	}
	for _, by := range slices.Concat([]string{program.SortCreated, program.SortName}, metrics.FigureNames) {
		for _, descending := range []bool{false, true} {
			sign := map[bool]int{false: 1, true: -1}[descending]
			want := slices.Clone(all)
			slices.SortFunc(want, func(x, y *program.Sheet) int {
				switch by {
				case program.SortCreated:
					return -sign * newest(x, y)
				case program.SortName:
					return cmp.Or(sign*cmp.Compare(x.Name, y.Name), newest(x, y))
				}
				v, w := x.Figures.Figure(by), y.Figures.Figure(by)
				if math.IsNaN(v) || math.IsNaN(w) {
					return cmp.Or(cmp.Compare(truth(math.IsNaN(v)), truth(math.IsNaN(w))), newest(x, y))
				}
				return cmp.Or(sign*cmp.Compare(v, w), newest(x, y))
			})
			if diff := gocmp.Diff(idsOf(want), pages(program.ModelFilter{Sort: program.ModelSort{By: by, Descending: descending}})); diff != "" {
				t.Errorf("by %s, descending %t: %s", by, descending, diff)
			}
		}
	}
	half, none, since := 0.5, -1e9, timeseries.Date(1001)
	filter := program.ModelFilter{
		Since:  &since,
		Bounds: []program.FigureBound{{Figure: "sharpe", Least: &none, Most: &half}, {Figure: "cagr", Most: &half}},
		Labels: []string{"CORE", "eu"},
	}
	var want []*program.Sheet
	for _, m := range all {
		f := m.Figures
		core := slices.ContainsFunc(m.Labels, func(l string) bool { return strings.EqualFold(l, "core") || l == "eu" })
		if core && f != nil && f.Start <= since && f.Figure("sharpe") <= half && f.Figure("cagr") <= half {
			want = append(want, m)
		}
	}
	if diff := gocmp.Diff(idsOf(want), pages(filter)); diff != "" || len(want) == 0 {
		t.Errorf("%d models within bounds: %s", len(want), diff)
	}
	groups, err := db.ModelGroups(t.Context(), a, program.ModelFilter{Bounds: filter.Bounds[:1]}, []string{"cagr", "calmar"})
	must(t, err)
	bounded := slices.DeleteFunc(slices.Clone(all), func(m *program.Sheet) bool { return !(m.Figures.Figure("sharpe") <= half) })
	if diff := gocmp.Diff(groupsOf(bounded, "cagr", "calmar"), groups, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-15),
		cmpopts.SortSlices(func(x, y program.ModelGroup) bool { return strings.ToLower(x.Label) < strings.ToLower(y.Label) }),
		cmpopts.IgnoreFields(program.ModelGroup{}, "Label")); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(groups, func(x, y program.ModelGroup) int { return y.Models - x.Models }) {
		t.Errorf("groups not by their size: %+v", groups)
	}
	_, _, err = db.Models(t.Context(), a, program.ModelFilter{Sort: program.ModelSort{By: "luck; drop table runs"}})
	wantFault(t, err, fault.InvalidParameter)
	_, _, err = db.Models(t.Context(), a, program.ModelFilter{Bounds: []program.FigureBound{{Figure: "luck", Least: &half}}})
	wantFault(t, err, fault.InvalidParameter)
	_, err = db.ModelGroups(t.Context(), a, program.ModelFilter{}, []string{"luck"})
	wantFault(t, err, fault.InvalidParameter)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// groupsOf computes groups with plain loops.
func groupsOf(models []*program.Sheet, figures ...string) []program.ModelGroup {
	byLabel := map[string][]*program.Sheet{}
	for _, m := range models {
		for _, l := range m.Labels {
			byLabel[strings.ToLower(l)] = append(byLabel[strings.ToLower(l)], m)
		}
		if len(m.Labels) == 0 {
			byLabel[""] = append(byLabel[""], m)
		}
	}
	var out []program.ModelGroup
	for label, members := range byLabel {
		g := program.ModelGroup{Label: label, Models: len(members)}
		for _, name := range figures {
			var x []float64
			for _, m := range members {
				if v := m.Figures.Figure(name); !math.IsNaN(v) {
					x = append(x, v)
				}
			}
			slices.Sort(x)
			spread := program.FigureSpread{Lowest: math.NaN(), Median: math.NaN(), Highest: math.NaN()}
			if k := len(x); k > 0 {
				spread = program.FigureSpread{Lowest: x[0], Median: (x[(k-1)/2] + x[k/2]) / 2, Highest: x[k-1]}
			}
			g.Figures = append(g.Figures, spread)
		}
		out = append(out, g)
	}
	return out
}

// BenchmarkModelsByFigure lists the best 50 of ten thousand models.
func BenchmarkModelsByFigure(b *testing.B) {
	db := open(b)
	a := newAccount(b, db, "a").ID
	d := active(b, db, a, "FIRST", assetMember("SPY"))
	copies(b, db, d, 10_000)
	for name, f := range map[string]program.ModelFilter{
		"newest": {Limit: 50},
		"sharpe": {Limit: 50, Figures: true, Sort: program.ModelSort{By: "sharpe", Descending: true}},
		"deep":   {Limit: 50, Offset: 5000, Figures: true, Sort: program.ModelSort{By: "sharpe", Descending: true}},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				begin := time.Now()
				if _, _, err := db.Models(b.Context(), a, f); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
	b.Run("groups", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.ModelGroups(b.Context(), a, program.ModelFilter{}, []string{"cagr", "sharpe"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// copies stores n copies of a model with different figures.
func copies(t testing.TB, db *postgres.DB, d draft, n int) {
	t.Helper()
	ids, runs, builds := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		ids[i], runs[i], builds[i] = id.New(id.Model), id.New(id.Run), id.New(id.Build)
	}
	tx, err := db.Pool().Begin(t.Context())
	must(t, err)
	for _, statement := range []string{
		"set constraints all deferred",
		`insert into programs select (jsonb_populate_record(p, jsonb_build_object('id', i.id, 'slug', i.id, 'symbol', 'S' || i.n, 'name', 'Model ' || i.n,
			'build_id', i.build, 'live_run_id', i.run, 'labels', jsonb_build_array('l' || i.n % 20), 'labels_lower', jsonb_build_array('l' || i.n % 20)))).*
			from programs p, unnest($2::text[], $3::text[], $4::text[]) with ordinality i (id, run, build, n) where p.id = $1`,
		`insert into models select (jsonb_populate_record(p, jsonb_build_object('id', i.id, 'approved_revision_id', null))).*
			from models p, unnest($2::text[], $3::text[], $4::text[]) with ordinality i (id, run, build, n) where p.id = $1`,
		`insert into builds select (jsonb_populate_record(p, jsonb_build_object('id', i.build, 'program_id', i.id))).*
			from builds p, unnest($2::text[], $3::text[], $4::text[]) with ordinality i (id, run, build, n) where p.program_id = $1`,
		`insert into runs select (jsonb_populate_record(p, jsonb_build_object('id', i.run, 'program_id', i.id, 'build_id', i.build))).*
			from runs p, unnest($2::text[], $3::text[], $4::text[]) with ordinality i (id, run, build, n) where p.program_id = $1`,
		`insert into figures select (jsonb_populate_record(p, jsonb_build_object('run_id', i.run, 'program_id', i.id, 'sharpe', random(), 'cagr', random()))).*
			from figures p, unnest($2::text[], $3::text[], $4::text[]) with ordinality i (id, run, build, n) where p.program_id = $1`,
	} {
		var args []any
		if strings.Contains(statement, "$") {
			args = []any{d.model.ID, ids, runs, builds}
		}
		_, err := tx.Exec(t.Context(), statement, args...)
		must(t, err)
	}
	must(t, tx.Commit(t.Context()))
	_, err = db.Pool().Exec(t.Context(), "vacuum analyze")
	must(t, err)
}
