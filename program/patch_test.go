package program

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/timeseries"
)

func given[T any](to T) Change[T] { return Change[T]{Given: true, To: to} }

func TestCheckedPatches(t *testing.T) {
	t.Parallel()
	many := make([]string, mostLabels+1)
	for i := range many {
		many[i] = strings.Repeat("x", 1+i%longestLabel)
	}
	for _, test := range []struct {
		name  string
		patch ModelPatch
		want  []string // locations of the details
	}{
		{"nothing", ModelPatch{}, nil},
		{"all", ModelPatch{Name: given("  Größe 60/40 "), Symbol: given("AB.C-1"), Labels: given([]string{"a", "Über"})}, nil},
		{"blank name", ModelPatch{Name: given(" \t")}, []string{"name"}},
		{"name of two lines", ModelPatch{Name: given("a\nb")}, []string{"name"}},
		{"longest name", ModelPatch{Name: given(strings.Repeat("ä", 100))}, nil},
		{"name too long", ModelPatch{Name: given(strings.Repeat("ä", 101))}, []string{"name"}},
		{"name not UTF-8", ModelPatch{Name: given("a\xff")}, []string{"name"}},
		{"symbol in lower case", ModelPatch{Symbol: given("abc")}, []string{"symbol"}},
		{"words of the addresses", ModelPatch{Name: given("Trash"), Symbol: given("VALIDATE")}, []string{"name", "symbol"}},
		{"CASH", ModelPatch{Symbol: given("CASH")}, []string{"symbol"}},
		{"symbol too long", ModelPatch{Symbol: given("ABCDEFGHIJKLM")}, []string{"symbol"}},
		{"labels", ModelPatch{Labels: given([]string{"", strings.Repeat("x", 51), "a,b", "fine"})}, []string{"labels[0]", "labels[1]", "labels[2]"}},
		{"too many labels", ModelPatch{Labels: given(many)}, []string{"labels"}},
		{"all problems at once", ModelPatch{Name: given(""), Symbol: given(""), Labels: given([]string{""})}, []string{"name", "symbol", "labels[0]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, details := test.patch.checked()
			var locations []string
			for _, d := range details {
				locations = append(locations, d.Field)
			}
			if diff := cmp.Diff(test.want, locations); diff != "" {
				t.Error(diff)
			}
			if details == nil && got.Name.To != strings.TrimSpace(test.patch.Name.To) {
				t.Errorf("name %q", got.Name.To)
			}
		})
	}
	got, details := ModelPatch{Labels: given([]string{" Core ", "core", "EU"})}.checked()
	if diff := cmp.Diff([]string{"Core", "EU"}, got.Labels.To); diff != "" || details != nil {
		t.Error(diff, details)
	}
}

func TestApplyToEveryStatus(t *testing.T) {
	t.Parallel()
	later := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, status := range Statuses {
		m := Model{Status: status, LiveRunID: "run_1", StartDate: timeseries.NoDate, StartRule: "all_members"}
		switch status {
		case StatusBuilding, StatusFailed:
			m.LiveRunID = ""
		case StatusPaused:
			m.Failures, m.NextRetry = 5, &later
		}
		renamed := m
		if resumed, err := (ModelPatch{Name: given("N")}).Apply(&renamed); resumed || err != nil || renamed.Status != status || renamed.Name != "N" {
			t.Errorf("%s renamed: %+v, %v", status, renamed, err)
		}
		for _, p := range []ModelPatch{{AutoUpdate: given(true)}, {NotifyEmail: given(false)}, {AutoUpdate: given(false)}} {
			again := m
			resumed, err := p.Apply(&again)
			if m.LiveRunID == "" {
				if fault.TypeOf(err) != fault.NotReady || err == nil {
					t.Errorf("%s: %v", status, err)
				}
				continue
			}
			if err != nil || resumed != (p.AutoUpdate.Given && p.AutoUpdate.To) {
				t.Errorf("%s: resumed %t, %v", status, resumed, err)
			}
			want := status
			if resumed && status == StatusPaused {
				want = StatusActive
			}
			if again.Status != want || resumed && (again.Failures != 0 || again.NextRetry != nil) {
				t.Errorf("%s becomes %+v", status, again)
			}
		}
	}
}

func TestApplyStartRules(t *testing.T) {
	t.Parallel()
	day := timeseries.NewDate(2024, time.March, 8)
	for _, test := range []struct {
		name    string
		rule    string
		date    timeseries.Date
		patch   ModelPatch
		refused bool
	}{
		{"a date alone", "all_members", timeseries.NoDate, ModelPatch{StartDate: given(day)}, false},
		{"the rule without a date", "all_members", timeseries.NoDate, ModelPatch{StartRule: given("date")}, true},
		{"the rule with a date that is there", "all_members", day, ModelPatch{StartRule: given("date")}, false},
		{"both", "all_members", timeseries.NoDate, ModelPatch{StartRule: given("date"), StartDate: given(day)}, false},
		{"the date taken away", "date", day, ModelPatch{StartDate: given(timeseries.NoDate)}, true},
		{"the date taken away for a rule", "date", day, ModelPatch{StartDate: given(timeseries.NoDate), StartRule: given("first_member")}, false},
		{"something else", "date", timeseries.NoDate, ModelPatch{Name: given("N")}, false},
	} {
		m := Model{StartRule: test.rule, StartDate: test.date}
		if _, err := test.patch.Apply(&m); (err != nil) != test.refused {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestViewStart(t *testing.T) {
	t.Parallel()
	date := func(m time.Month, d int) timeseries.Date { return timeseries.NewDate(2024, m, d) }
	members := []Member{{Key: "A", First: date(3, 1)}, {Key: "B", First: date(3, 28)}, {Key: "C", First: date(2, 1)}}
	for _, test := range []struct {
		name string
		rule string
		date timeseries.Date
		base timeseries.Date
		days int // bars a year
		want timeseries.Date
	}{
		{"the whole history", "first_member", timeseries.NoDate, date(2, 1), 252, timeseries.NoDate},
		{"two members", "two_members", timeseries.NoDate, date(2, 1), 252, date(3, 4)},                 // the Monday after Friday
		{"all members, over a holiday", "all_members", timeseries.NoDate, date(2, 1), 252, date(4, 1)}, // Good Friday
		{"all members, every day", "all_members", timeseries.NoDate, date(2, 1), 365, date(3, 29)},
		{"all members, as it was run", "all_members", timeseries.NoDate, date(3, 28), 252, timeseries.NoDate},
		{"a date", "all_members", date(5, 5), date(2, 1), 252, date(5, 5)},
		{"the rule of a date that is gone", "date", timeseries.NoDate, date(2, 1), 252, timeseries.NoDate},
	} {
		live := &Run{Base: test.base, Members: slices.Clone(members), Summary: &Summary{Alignment: Alignment{BarsPerYear: test.days}}}
		m := &Sheet{Model: Model{StartRule: test.rule, StartDate: test.date}, Live: live}
		if got := m.ViewStart(); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	if got := (&Sheet{Model: Model{StartRule: "all_members", StartDate: timeseries.NoDate}}).ViewStart(); got != timeseries.NoDate {
		t.Errorf("without a result: %v", got)
	}
}
