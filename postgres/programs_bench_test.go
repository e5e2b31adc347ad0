package postgres_test

import (
	"fmt"
	"testing"

	"ballast/internal/id"
	"ballast/program"
	"ballast/timeseries/bars"
)

// The tests' server does not sync; add the disk's sync time per commit.

func BenchmarkSheet(b *testing.B) {
	db := open(b)
	d := active(b, db, newAccount(b, db, "a").ID, "RMOM", assetMember("SPY"))
	for b.Loop() {
		sheet(b, db, d.model.ID)
	}
}

func BenchmarkModels(b *testing.B) {
	db := open(b)
	a := newAccount(b, db, "a").ID
	for i := range 200 {
		active(b, db, a, fmt.Sprintf("M%d", i), assetMember("SPY"))
	}
	for b.Loop() {
		if _, _, err := db.Models(b.Context(), a, program.ModelFilter{Limit: 50, Offset: 100}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRunCycle measures a run from request to result, without the computation.
func BenchmarkRunCycle(b *testing.B) {
	db := open(b)
	d := active(b, db, newAccount(b, db, "a").ID, "RMOM", assetMember("SPY"))
	for b.Loop() {
		r := newRun(d.model, d.build.ID, program.SourceManual)
		must(b, db.CreateRun(b.Context(), r, 1_000_000_000))
		if _, _, _, err := db.StartRun(b.Context(), r.ID); err != nil {
			b.Fatal(err)
		}
		publish(b, db, r.ID, assetMember("SPY"))
	}
}

// BenchmarkPublishToHolders measures the publication of a model that a hundred others
// hold.
func BenchmarkPublishToHolders(b *testing.B) {
	db := open(b)
	a := newAccount(b, db, "a").ID
	child := active(b, db, a, "CHILD", assetMember("SPY"))
	var holders []draft
	for i := range 100 {
		holders = append(holders, active(b, db, a, fmt.Sprintf("H%d", i), modelMember(b, db, child.model.ID)))
	}
	for b.Loop() {
		b.StopTimer()
		r := newRun(child.model, child.build.ID, program.SourceManual)
		must(b, db.CreateRun(b.Context(), r, 0))
		b.StartTimer()
		publish(b, db, r.ID, assetMember("SPY"))
		b.StopTimer()
		for _, h := range holders {
			if m := sheet(b, db, h.model.ID); m.InFlight != nil {
				publish(b, db, m.InFlight.ID, modelMember(b, db, child.model.ID))
			}
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(100*b.N)/b.Elapsed().Seconds(), "holders/s")
}

func BenchmarkManifest(b *testing.B) {
	db := open(b)
	m := db
	var ids []string
	c := bars.Change{Record: record("a.csv")}
	for i := range 500 {
		a := bars.Asset{ID: id.New(id.Asset), Symbol: fmt.Sprintf("S%d", i), Convention: bars.Adjusted, First: 0, Last: 5000, Rows: 5001}
		c.Assets = append(c.Assets, a)
		c.Added = append(c.Added, segment(a, "one", int64(i)*5001))
		ids = append(ids, a.ID)
	}
	if _, err := m.Commit(b.Context(), c); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.ByID(b.Context(), ids[:10], bars.Latest); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMeteredRunCycle is BenchmarkRunCycle with credit: held at the request, charged
// with the result.
func BenchmarkMeteredRunCycle(b *testing.B) {
	db := metered(b, 1_000_000_000)
	d := active(b, db, newAccount(b, db, "a").ID, "RMOM", assetMember("SPY"))
	for b.Loop() {
		r := newRun(d.model, d.build.ID, program.SourceManual)
		must(b, db.CreateRun(b.Context(), r, 1_000_000_000))
		if _, _, _, err := db.StartRun(b.Context(), r.ID); err != nil {
			b.Fatal(err)
		}
		publish(b, db, r.ID, assetMember("SPY"))
	}
}
