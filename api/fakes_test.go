package api

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/account"
	"ballast/billing"
	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/timeseries"
)

const (
	alice     = "account_0000000000007000800000000000000a"
	bob       = "account_0000000000007000800000000000000b"
	aliceKey  = "bk_alicealicealicealicealicealicealicealicealA"
	bobKey    = "bk_bobbobbobbobbobbobbobbobbobbobbobbobbobbobA"
	modelID   = "model_00000000000070008000000000000001"
	runID     = "run_00000000000070008000000000000001"
	buildID   = "build_00000000000070008000000000000001"
	assetID   = "asset_00000000000070008000000000000001"
	fakeTitle = "Sixty forty"
)

var epoch = time.Date(2026, 1, 2, 15, 0, 0, 0, time.UTC)

// sessions is a series of n weekdays after 2003-09-29 with small returns.
func sessions(n int) timeseries.Series {
	s := timeseries.Series{Base: timeseries.NewDate(2003, 9, 29)}
	state := uint64(7)
	for d := s.Base + 1; len(s.Dates) < n; d++ {
		if w := d.Weekday(); w == time.Saturday || w == time.Sunday {
			continue
		}
		state = state*6364136223846793005 + 1442695040888963407
		s.Dates = append(s.Dates, d)
		s.Returns = append(s.Returns, (float64(state>>11)/(1<<53)-.4995)/50)
	}
	return s
}

// fakeHistory has n sessions of two assets and CASH, rebalanced every 21 sessions.
func fakeHistory(n int) *history.History {
	series := sessions(n)
	a := &history.Allocation{Keys: []string{"SPY", "AGG", "CASH"}, Weights: make([][]float64, 3)}
	for i := range series.Dates {
		drift := series.Returns[i]
		a.Weights[0] = append(a.Weights[0], .6+drift)
		a.Weights[1] = append(a.Weights[1], .4-drift)
		a.Weights[2] = append(a.Weights[2], 0)
		if i%21 == 0 {
			a.Rebalances = append(a.Rebalances, result.Rebalance{
				Date: series.Dates[i], Decided: series.Dates[i], Reason: "schedule", Turnover: .02,
				Trades: []result.Trade{{Key: "SPY", Before: .61, Target: .6, Traded: -.01}, {Key: "AGG", Before: .39, Target: .4, Traded: .01}},
			})
		}
	}
	return &history.History{
		ModelID: modelID, RunID: runID, AsOf: series.Last(), Base: series.Base, Dates: series.Dates, Returns: series.Returns, Allocation: a,
		Labels: []history.Label{
			{Key: "SPY", Kind: "asset", ID: assetID, Symbol: "SPY", Name: "SPDR S&P 500"},
			{Key: "AGG", Kind: "asset", ID: assetID, Symbol: "AGG", Name: "iShares Core"},
			{Key: "CASH", Kind: "cash", Name: "Cash"},
		},
	}
}

func fakeSheet() *program.Sheet {
	first, last := timeseries.NewDate(2003, 9, 30), timeseries.NewDate(2025, 9, 26)
	build := &program.Build{
		ID: buildID, AccountID: alice, ProgramID: modelID, Kind: "create", Status: program.RunComplete, Script: "def decide(ctx): ...",
		ScriptHash: "aa", InputsSchema: json.RawMessage(`{"type":"object","properties":{"universe":{"default":["SPY","AGG"]}}}`),
		Validation: json.RawMessage(`{"valid":true}`), CreatedAt: epoch, FinishedAt: &epoch,
	}
	run := &program.Run{
		ID: runID, AccountID: alice, ProgramID: modelID, ProgramName: fakeTitle, BuildID: buildID, InputsSchema: build.InputsSchema,
		Status: program.RunComplete, Live: true, Publishes: true, Source: program.SourceCreate, Inputs: json.RawMessage(`{"universe":["SPY","AGG"]}`),
		ScriptHash: "aa", DataVersion: "v3", Base: first - 1, First: first, Last: last, Progress: program.Progress{Step: "done", Done: 1, Total: 1},
		Members: []program.Member{
			{Key: "SPY", Kind: program.MemberAsset, ID: assetID, Symbol: "SPY", Name: "SPDR", First: timeseries.NewDate(1993, 1, 29), Last: last},
			{Key: "AGG", Kind: program.MemberAsset, ID: assetID, Symbol: "AGG", Name: "iShares", First: first - 1, Last: last},
		},
		Summary: &program.Summary{
			StartDate: new("2003-09-30"), EndDate: "2025-09-26", Window: program.SummaryWindow{StartRule: "all_members"},
			Alignment: program.Alignment{AsOf: "2025-09-26", BarsPerYear: 252, SessionCalendar: "XNYS"},
			Execution: program.Execution{Fill: "close"},
		},
		Usage: &program.Usage{Units: 2, Base: 1, Seconds: 1}, ResultHash: "bb", CreatedAt: epoch, StartedAt: &epoch, FinishedAt: &epoch,
	}
	return &program.Sheet{
		Model: program.Model{
			ID: modelID, AccountID: alice, Name: fakeTitle, Symbol: "SF", Slug: "sixty-forty-1", Status: program.StatusActive, AutoUpdate: true,
			NotifyEmail: true, BuildID: buildID, LiveRunID: runID, StartDate: timeseries.NoDate, StartRule: "all_members",
			Labels: []string{"core"}, Prompt: "sixty forty", CreatedAt: epoch, UpdatedAt: epoch,
		},
		Build: build, Live: run,
	}
}

type fakeCatalog struct {
	asset  *catalog.Asset
	filter catalog.Filter
	query  catalog.HistoryQuery
}

func (f *fakeCatalog) Asset(_ context.Context, ref string) (*catalog.Asset, error) {
	if !strings.EqualFold(ref, f.asset.Symbol) && ref != f.asset.ID {
		return nil, fault.New(fault.NotFound, "There is no asset %q.", ref).
			With(fault.Detail{Location: "path.asset", Message: "is not in the catalog", Suggestion: f.asset.Symbol})
	}
	return f.asset, nil
}

func (f *fakeCatalog) Evidence(context.Context, string) ([]classify.Evidence, error) {
	return []classify.Evidence{{Field: "type", Value: "etf", Source: "kind", Words: "etf"}}, nil
}

func (f *fakeCatalog) Assets(_ context.Context, filter catalog.Filter) (*catalog.Page, error) {
	f.filter = filter
	page := &catalog.Page{Assets: []*catalog.Asset{f.asset}, Total: 1}
	if filter.Facets {
		page.Facets = &catalog.Facets{
			Type: []catalog.Count{{Value: "etf", N: 1}},
			Tags: []catalog.Dimension{{Name: "size", Values: []catalog.Count{{Value: "large", N: 0}}}},
		}
	}
	return page, filter.Check()
}

func (f *fakeCatalog) AssetHistory(ctx context.Context, ref string, q catalog.HistoryQuery) (*catalog.History, error) {
	f.query = q
	a, err := f.Asset(ctx, ref)
	if err != nil {
		return nil, err
	}
	series := sessions(5)
	h := &catalog.History{Asset: a, DataEdge: series.Last(), Dates: series.Dates, Returns: series.Returns}
	if q.Metrics {
		h.Metrics = metrics.Compute(series, metrics.Options{})
	}
	return h, nil
}

// fakeBilling has one balance and one charge.
type fakeBilling struct{}

func (fakeBilling) Statement(context.Context, string) (*billing.Statement, error) {
	return &billing.Statement{RemainingCents: 88, HeldCents: 5, SpentCents: 7, SignupGrantCents: 100}, nil
}

func (fakeBilling) Quotas(context.Context, string) ([]billing.Use, error) {
	return []billing.Use{{Quota: billing.Models, Used: 3, Limit: 50}, {Quota: billing.StoredBytes, Used: 1234}}, nil
}

func (fakeBilling) Charges(context.Context, string, billing.Filter) ([]*billing.Charge, int, error) {
	return []*billing.Charge{{
		ID: "charge_00000000000070008000000000000001", At: epoch, Kind: billing.KindRun, Activity: "Run of " + fakeTitle,
		ProgramID: modelID, RunID: runID, BuildID: buildID, Units: 31, Base: 1, Seconds: 30, AmountCents: 5,
		Cap: &billing.Cap{Rule: billing.CapHold, Cents: 5}, Billed: true, Identified: true,
	}}, 1, nil
}

// fakeIdempotency keeps answers in memory.
type fakeIdempotency struct {
	mu      sync.Mutex
	claimed map[string][32]byte
	answers map[string]account.SavedResponse
	waiting map[context.Context]bool // of requests that have met their key in progress
}

// met waits until n requests have found their key in progress.
func (f *fakeIdempotency) met(t *testing.T, requests int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		f.mu.Lock()
		n := len(f.waiting)
		f.mu.Unlock()
		if n >= requests {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d requests wait for the first one's answer", n, requests)
		}
	}
}

func (f *fakeIdempotency) Claim(ctx context.Context, accountID, key string, request [32]byte) (*account.SavedResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := accountID + " " + key
	if hash, ok := f.claimed[name]; ok && hash != request {
		return nil, fault.New(fault.IdempotencyMismatch, "The key was used for another request.")
	}
	if a, ok := f.answers[name]; ok {
		return &a, nil
	}
	if _, ok := f.claimed[name]; ok {
		f.waiting[ctx] = true
		return nil, fault.New(fault.IdempotencyProgress, "The same request is in progress.")
	}
	if f.claimed == nil {
		f.claimed, f.answers, f.waiting = map[string][32]byte{}, map[string]account.SavedResponse{}, map[context.Context]bool{}
	}
	f.claimed[name] = request
	return nil, nil
}

func (f *fakeIdempotency) Keep(_ context.Context, accountID, key string, a account.SavedResponse) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[accountID+" "+key] = a
	return nil
}

func (f *fakeIdempotency) Drop(_ context.Context, accountID, key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.claimed, accountID+" "+key)
	return nil
}
