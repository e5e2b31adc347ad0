package api

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"ballast/account"
	"ballast/billing"
	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
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

// fakeModels answers from memory; fail, where set, is what every method answers.
type fakeModels struct {
	Drafts
	drafts  *fakeDrafts
	sheet   *program.Sheet
	history *program.History
	fail    error
	panics  bool
	waited  *program.Run

	created []program.CreateRequest
	rebuilt []program.RebuildRequest
	filter  program.ModelFilter
	query   program.HistoryQuery
	request program.RunRequest
	paging  [2]int
	patch   program.ModelPatch
	edit    program.RunPatch
	compare program.CompareQuery
	deleted []string
}

func newFakeModels() *fakeModels {
	f := &fakeModels{sheet: fakeSheet(), history: fakeHistory(5)}
	f.drafts = newFakeDrafts(f)
	f.Drafts = f.drafts
	return f
}

func (f *fakeModels) answer(accountID, ref string) (*program.Sheet, error) {
	if f.panics {
		panic("secret of the inside")
	}
	if f.fail != nil {
		return nil, f.fail
	}
	s := f.sheet
	public := s.IsPublic && ref == s.Slug
	if !public && (accountID != s.AccountID || ref != s.ID && ref != s.Slug && ref != s.Symbol && ref != s.Name) {
		return nil, fault.New(fault.NotFound, "There is no model %q that you may read.", ref)
	}
	return s, nil
}

func (f *fakeModels) Create(_ context.Context, accountID string, r program.CreateRequest) (*program.Sheet, error) {
	f.created = append(f.created, r)
	return f.answer(accountID, f.sheet.ID)
}

func (f *fakeModels) Rebuild(_ context.Context, accountID, ref string, r program.RebuildRequest) (*program.Sheet, error) {
	f.rebuilt = append(f.rebuilt, r)
	return f.answer(accountID, ref)
}

func (f *fakeModels) Script(_ context.Context, accountID, ref, _ string) (*program.ScriptFile, error) {
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, err
	}
	return &program.ScriptFile{Name: "sixty-forty.py", Text: []byte("print('hello')\n")}, nil
}

func (f *fakeModels) Validate(_ context.Context, _, script string) (*program.Validation, error) {
	if f.fail != nil {
		return nil, f.fail
	}
	if strings.Contains(script, "def decide") {
		return &program.Validation{Valid: true, HarnessVersion: "1.0", InputsSchema: json.RawMessage(`{"type":"object"}`)}, nil
	}
	return &program.Validation{HarnessVersion: "1.0", Errors: []program.Problem{{Rule: "entry_point", Line: 1, Column: 1, Message: "no decide"}}}, nil
}

func (f *fakeModels) Sheet(_ context.Context, accountID, ref string) (*program.Sheet, error) {
	return f.answer(accountID, ref)
}

func (f *fakeModels) Models(_ context.Context, accountID string, filter program.ModelFilter) ([]*program.Sheet, int, error) {
	f.filter = filter
	if f.fail != nil {
		return nil, 0, f.fail
	}
	if accountID != f.sheet.AccountID {
		return nil, 0, nil
	}
	return []*program.Sheet{f.sheet}, 1, nil
}

func (f *fakeModels) StartRun(_ context.Context, accountID, ref string, r program.RunRequest) (*program.Run, error) {
	f.request = r
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, err
	}
	queued := *f.sheet.Live
	queued.Status, queued.Summary, queued.Live, queued.FinishedAt = program.RunQueued, nil, false, nil
	return &queued, nil
}

func (f *fakeModels) Wait(context.Context, string, string) (*program.Run, error) {
	if f.waited != nil {
		return f.waited, nil
	}
	return f.sheet.Live, nil
}

func (f *fakeModels) Runs(_ context.Context, accountID, ref string, filter program.RunFilter) ([]*program.Run, int, error) {
	f.paging = [2]int{filter.Limit, filter.Offset}
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, 0, err
	}
	return []*program.Run{f.sheet.Live}, 1, nil
}

func (f *fakeModels) Run(_ context.Context, accountID, ref string) (*program.Run, error) {
	if f.fail != nil {
		return nil, f.fail
	}
	if ref != runID || accountID != f.sheet.AccountID && !f.sheet.Live.Shared {
		return nil, fault.New(fault.NotFound, "There is no run %q that you may read.", ref)
	}
	return f.sheet.Live, nil
}

func (f *fakeModels) Patch(_ context.Context, accountID, ref string, p program.ModelPatch) (*program.Sheet, error) {
	f.patch = p
	return f.answer(accountID, ref)
}

func (f *fakeModels) Delete(_ context.Context, accountID, ref string) (*program.Trashed, error) {
	s, err := f.answer(accountID, ref)
	if err != nil {
		return nil, err
	}
	f.deleted = append(f.deleted, s.ID)
	return f.trashed(), nil
}

func (f *fakeModels) trashed() *program.Trashed {
	return &program.Trashed{ID: f.sheet.ID, Name: f.sheet.Name, Symbol: f.sheet.Symbol, DeletedAt: epoch, PurgeAt: epoch.Add(program.Retention)}
}

func (f *fakeModels) Trash(_ context.Context, accountID string, limit, offset int) ([]*program.Trashed, int, error) {
	f.paging = [2]int{limit, offset}
	if accountID != f.sheet.AccountID {
		return nil, 0, nil
	}
	return []*program.Trashed{f.trashed()}, 1, nil
}

func (f *fakeModels) Restore(_ context.Context, accountID, ref string) (*program.Sheet, error) {
	return f.answer(accountID, ref)
}

func (f *fakeModels) Purge(_ context.Context, accountID, ref string) (string, error) {
	s, err := f.answer(accountID, ref)
	if err != nil {
		return "", err
	}
	f.deleted = append(f.deleted, s.ID)
	return s.ID, nil
}

func (f *fakeModels) PatchRun(ctx context.Context, accountID, ref string, p program.RunPatch) (*program.Run, error) {
	f.edit = p
	return f.Run(ctx, accountID, ref)
}

func (f *fakeModels) DeleteRun(ctx context.Context, accountID, ref string) (string, error) {
	r, err := f.Run(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	f.deleted = append(f.deleted, r.ID)
	return r.ID, nil
}

func (f *fakeModels) Promote(ctx context.Context, accountID, ref string) (*program.Run, error) {
	r, err := f.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	queued := *r
	queued.Status, queued.Source, queued.Summary, queued.Live, queued.FinishedAt = program.RunQueued, program.SourcePromote, nil, false, nil
	return &queued, nil
}

func (f *fakeModels) Compare(_ context.Context, _ string, q program.CompareQuery) (*program.Comparison, error) {
	f.compare = q
	if f.fail != nil {
		return nil, f.fail
	}
	live := f.sheet.Live
	return &program.Comparison{
		Runs: []program.ComparedRun{
			{Run: live, Metrics: metrics.Compute(sessions(5), metrics.Options{})},
			{Run: live, Metrics: metrics.Compute(timeseries.Series{Base: timeseries.NoDate}, metrics.Options{})},
		},
		Inputs: map[string]map[string]any{"weight": {live.ID: .5}},
		Start:  live.First, End: live.Last,
	}, nil
}

func (f *fakeModels) Builds(_ context.Context, accountID, ref string, limit, offset int) ([]*program.Build, int, error) {
	f.paging = [2]int{limit, offset}
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, 0, err
	}
	return []*program.Build{f.sheet.Build}, 1, nil
}

func (f *fakeModels) Build(_ context.Context, accountID, ref string) (*program.Build, error) {
	if ref != buildID || accountID != f.sheet.AccountID {
		return nil, fault.New(fault.NotFound, "There is no build %q that you may read.", ref)
	}
	return f.sheet.Build, nil
}

func (f *fakeModels) History(_ context.Context, accountID, ref string, q program.HistoryQuery) (*program.History, error) {
	f.query = q
	if _, err := f.answer(accountID, ref); err != nil {
		return nil, err
	}
	return f.block(q), nil
}

func (f *fakeModels) RunHistory(_ context.Context, _, _ string, q program.HistoryQuery) (*program.History, error) {
	f.query = q
	return f.block(q), nil
}

// block leaves out what was not asked for.
func (f *fakeModels) block(q program.HistoryQuery) *program.History {
	h := *f.history
	if !q.Returns {
		h.Returns = nil
	}
	if !q.Allocation {
		h.Allocation, h.Labels = nil, nil
	}
	if q.Metrics {
		series := timeseries.Series{Base: h.Base, Dates: h.Dates, Returns: f.history.Returns}
		h.Metrics = metrics.Compute(series, metrics.Options{RiskFree: q.RiskFree})
	}
	return &h
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

type fakeAccounts struct {
	fakeSessions
	keys []*account.Key
	fail error
}

func (f *fakeAccounts) Authenticate(_ context.Context, hash [32]byte) (*account.Identity, error) {
	if f.fail != nil {
		return nil, f.fail
	}
	for secret, id := range map[string]string{aliceKey: alice, bobKey: bob} {
		if account.Hash(secret) == hash {
			return &account.Identity{AccountID: id, AccountName: "Alice", Plan: account.PlanBusiness, KeyID: "key_00000000000070008000000000000001"}, nil
		}
	}
	return nil, fault.New(fault.Unauthenticated, "This text is not the one that callers get.")
}

func (f *fakeAccounts) Account(_ context.Context, id string) (*account.Account, error) {
	return &account.Account{ID: id, Name: "Alice", Plan: account.PlanBusiness, Role: account.RoleMember, CreatedAt: epoch, Collections: account.Collections{Models: 1}}, nil
}

func (f *fakeAccounts) Keys(_ context.Context, _, prefix string) ([]*account.Key, error) {
	var found []*account.Key
	for _, k := range f.keys {
		if strings.HasPrefix(k.Prefix, prefix) {
			found = append(found, k)
		}
	}
	return found, nil
}

func (f *fakeAccounts) CreateKey(_ context.Context, k *account.Key, _ [32]byte) error {
	f.keys = append([]*account.Key{k}, f.keys...)
	return nil
}

func (f *fakeAccounts) RevokeKey(_ context.Context, accountID, keyID string) (*account.Key, error) {
	for _, k := range f.keys {
		if k.ID == keyID && k.AccountID == accountID {
			now := epoch
			k.RevokedAt = &now
			return k, nil
		}
	}
	return nil, fault.New(fault.NotFound, "There is no key %q.", keyID)
}

// fakeBilling has one balance and one charge.
type fakeBilling struct{}

func (fakeBilling) Statement(context.Context, string) (*billing.Statement, error) {
	return &billing.Statement{RemainingCents: 88, HeldCents: 5, SpentCents: 7, SignupGrantCents: 100}, nil
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
	answers map[string]account.Answer
}

func (f *fakeIdempotency) Claim(_ context.Context, accountID, key string, request [32]byte) (*account.Answer, error) {
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
		return nil, fault.New(fault.Unavailable, "The same request is in progress.")
	}
	if f.claimed == nil {
		f.claimed, f.answers = map[string][32]byte{}, map[string]account.Answer{}
	}
	f.claimed[name] = request
	return nil, nil
}

func (f *fakeIdempotency) Keep(_ context.Context, accountID, key string, a account.Answer) error {
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
func fakeHistory(n int) *program.History {
	series := sessions(n)
	a := &program.Allocation{Keys: []string{"SPY", "AGG", "CASH"}, Weights: make([][]float64, 3)}
	for i := range series.Dates {
		drift := series.Returns[i]
		a.Weights[0] = append(a.Weights[0], .6+drift)
		a.Weights[1] = append(a.Weights[1], .4-drift)
		a.Weights[2] = append(a.Weights[2], 0)
		if i%21 == 0 {
			a.Rebalances = append(a.Rebalances, program.Rebalance{
				Date: series.Dates[i], Decided: series.Dates[i], Reason: "schedule", Turnover: .02,
				Trades: []program.Trade{{Key: "SPY", Before: .61, Target: .6, Traded: -.01}, {Key: "AGG", Before: .39, Target: .4, Traded: .01}},
			})
		}
	}
	return &program.History{
		ModelID: modelID, RunID: runID, AsOf: series.Last(), Base: series.Base, Dates: series.Dates, Returns: series.Returns, Allocation: a,
		Labels: []program.Label{
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
			StartDate: "2003-09-30", EndDate: "2025-09-26", Window: program.SummaryWindow{StartRule: "all_members"},
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

// fakeSessions keeps sessions and sign-ins in memory.
type fakeSessions struct {
	mu       sync.Mutex
	sessions map[[32]byte]*account.Session
	attempts map[[32]byte]account.Signin
	admitted []account.Person
}

func (f *fakeSessions) CreateSession(_ context.Context, s *account.Session, hash [32]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.sessions == nil {
		f.sessions = map[[32]byte]*account.Session{}
	}
	s.EndsAt = epoch
	f.sessions[hash] = s
	return nil
}

func (f *fakeSessions) AuthenticateSession(_ context.Context, hash [32]byte) (*account.Identity, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions[hash]
	if s == nil {
		return nil, fault.New(fault.Unauthenticated, "This text is not the one that callers get.")
	}
	i := &account.Identity{AccountID: s.AccountID, AccountName: "Alice", Plan: account.PlanBusiness, Role: account.RoleMember, SessionID: s.ID, KeyID: s.KeyID}
	if s.Person != nil {
		i.PersonName, i.PersonEmail = s.Person.Name, s.Person.Email
	}
	return i, nil
}

func (f *fakeSessions) EndSession(_ context.Context, hash [32]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.sessions, hash)
	return nil
}

func (f *fakeSessions) BeginSignin(_ context.Context, s account.Signin) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.attempts == nil {
		f.attempts = map[[32]byte]account.Signin{}
	}
	f.attempts[s.State] = s
	return nil
}

func (f *fakeSessions) TakeSignin(_ context.Context, state [32]byte) (*account.Signin, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.attempts[state]
	if !ok {
		return nil, fault.New(fault.Unauthenticated, "This sign-in was used already, or took too long. Begin again.")
	}
	delete(f.attempts, state)
	return &s, nil
}

func (f *fakeSessions) Admit(_ context.Context, p account.Person, _ account.Plan) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.admitted = append(f.admitted, p)
	return alice, nil
}
