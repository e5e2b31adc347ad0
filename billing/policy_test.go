package billing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/account"
)

func TestProjections(t *testing.T) {
	t.Parallel()
	p := Default().Prices
	for _, test := range []struct {
		seconds    int
		run, build int64
	}{{0, 5, 20}, {1, 5, 20}, {2, 5, 20}, {3, 7, 20}, {10, 21, 21}, {60, 121, 121}} {
		if run, build := p.RunHold(test.seconds), p.BuildHold(test.seconds); run != test.run || build != test.build {
			t.Errorf("after %d seconds a run holds %d, a build %d; want %d, %d", test.seconds, run, build, test.run, test.build)
		}
	}
	p.UnitCents = 3
	if got := p.RunHold(10); got != 63 {
		t.Errorf("at 3 cents a unit a run holds %d", got)
	}
	for tokens, units := range map[int]int{0: 0, 1: 1, 1000: 1, 1001: 2} {
		if got := p.TokenUnits(tokens); got != units {
			t.Errorf("%d tokens are %d units, want %d", tokens, got, units)
		}
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	p := Default().Prices
	held := int64(5)
	for name, test := range map[string]struct {
		outcome Outcome
		units   int
		hold    *int64
		want    Settlement
	}{
		"done":              {Done, 2, &held, Settlement{Listed: true, Billed: true, Charged: 2, Released: 3}},
		"all of it":         {Done, 5, &held, Settlement{Listed: true, Billed: true, Charged: 5}},
		"more than held":    {Done, 31, &held, Settlement{Listed: true, Billed: true, Charged: 5, Cap: &Cap{CapHold, 5}}},
		"nothing used":      {Done, 0, &held, Settlement{Released: 5}},
		"superseded":        {Superseded, 2, &held, Settlement{Listed: true, Released: 5}},
		"broken":            {Broken, 2, &held, Settlement{Released: 5}},
		"nothing held":      {Done, 2, nil, Settlement{Listed: true}},
		"broken and unheld": {Broken, 2, nil, Settlement{}},
	} {
		if diff := cmp.Diff(test.want, p.Settle(test.outcome, test.units, test.hold)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestSettleLosesNothing checks that what is charged and released adds up to the
// hold, and that no charge is larger than its hold or than the usage.
func TestSettleLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := Prices{UnitCents: rapid.Int64Range(1, 50).Draw(t, "unit_cents")}
		hold := rapid.Int64Range(0, 1_000).Draw(t, "hold")
		units := rapid.IntRange(0, 200).Draw(t, "units")
		s := p.Settle(Outcome(rapid.IntRange(0, 2).Draw(t, "outcome")), units, &hold)
		if s.Charged+s.Released != hold || s.Charged < 0 || s.Released < 0 || s.Charged > p.Cents(units) {
			t.Fatalf("of %d: %+v", hold, s)
		}
		if (s.Cap != nil) != (s.Charged < p.Cents(units) && s.Billed) {
			t.Fatalf("the cap of %+v at %d cents", s, p.Cents(units))
		}
	})
}

func TestParse(t *testing.T) {
	t.Parallel()
	p, err := Parse([]byte("prices:\n  unit_cents: 2\nplans:\n  free:\n    signup_grant_cents: 50\n    nightly_refresh: false\n    stored_mib: 7\n  business:\n    concurrency: 3\n    models: 0\nmachine: {builds_a_day: 9}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Prices.UnitCents = 2
	free, business := want.Plans[account.PlanFree], want.Plans[account.PlanBusiness]
	free.SignupGrantCents, free.NightlyRefresh, free.StoredMiB = 50, false, 7
	business.Concurrency, business.Models = 3, 0
	want.Plans[account.PlanFree], want.Plans[account.PlanBusiness] = free, business
	want.Machine.BuildsADay = 9
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	if p, err := Parse(nil); err != nil || cmp.Diff(Default(), p) != "" {
		t.Errorf("of nothing %+v, %v", p, err)
	}
}

func TestParseRefusals(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		"prices: {unit_cents: 0}":                            "prices.unit_cents: 0 is not between 1 and",
		"plans: {gold: {fees: true}}":                        "plans.gold: unknown plan; accepted are free, pro and business",
		"plans: {pro: {concurrency: 0, retention_days: -1}}": "plans.pro.retention_days: -1",
		"plans: {pro: {models: -1}}":                         "plans.pro.models: -1",
		"machine: {stored_mib: -1}":                          "machine.stored_mib: -1",
		"machine: {concurrency: 1}":                          "concurrency",
		"plans: {pro: {color: red}}":                         "color",
		"price: {}":                                          "price",
		"plans: [1]":                                         "cannot unmarshal",
		"prices: {}\n---\nprices: {}":                        "more than one YAML document",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("plans: {free: {concurrency: 2}}"))
	f.Add([]byte("prices: {unit_cents: 9, low_cents: 5}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse(text)
		if err == nil && (p.Prices.UnitCents < 1 || p.Plans[account.PlanFree].Concurrency < 1) {
			t.Errorf("%q: %+v", text, p)
		}
	})
}

func TestIncluding(t *testing.T) {
	t.Parallel()
	p := Default()
	for want, has := range map[string]func(Terms) bool{
		"the Business plan":                       func(t Terms) bool { return t.Fees },
		"the Pro or Business plan":                func(t Terms) bool { return t.Concurrency > 1 },
		"a plan that this service does not offer": func(t Terms) bool { return t.Concurrency > 1_000 },
	} {
		if got := p.Including(has); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
