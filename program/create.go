package program

import (
	"context"
	"fmt"
	"strings"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/timeseries"
)

// Create stores a new model with its first build and run; the run is queued in
// the same transaction. A script that breaks the contract is refused with all
// its problems. Without a script one is written from the prompt: at once where
// the grammar understands it, else in the background by the language model.
func (s *Service) Create(ctx context.Context, accountID string, req CreateRequest) (*Sheet, error) {
	i, err := s.implement(ctx, accountID, nil, req.Script, req.Prompt)
	if err != nil {
		return nil, err
	}
	symbol, err := s.symbol(ctx, accountID, i)
	if err != nil {
		return nil, err
	}
	now := s.now()
	m := &Model{
		ID: id.New(id.Model), AccountID: accountID, Name: i.name, Symbol: symbol,
		Status: StatusBuilding, AutoUpdate: orDefault(req.AutoUpdate, true), NotifyEmail: orDefault(req.NotifyEmail, true),
		Description: i.description, Prompt: req.Prompt, StartDate: timeseries.NoDate, RequestedSession: timeseries.NoDate, StartRule: i.startRule,
		CreatedAt: now, UpdatedAt: now,
	}
	m.Slug = slug(m.Name, m.ID)
	b, r := i.build(m, "create", SourceCreate, now)
	m.BuildID = b.ID
	created, err := s.store.CreateModel(ctx, m, b, r)
	if err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "model created", "model_id", m.ID, "build_id", b.ID, "run_id", r.ID, "generator", b.Generator)
	return created, nil
}

// symbol is the script's own, or one made from the name that the account does not use yet.
func (s *Service) symbol(ctx context.Context, accountID string, i *implementation) (string, error) {
	if i.symbol != "" {
		return i.symbol, nil
	}
	return freeSymbol(ctx, s.assets, s.store, accountID, "", i.name)
}

// freeSymbol makes a symbol from a name that no model of the account has but the
// one given, and no asset, which would be held in its stead.
func freeSymbol(ctx context.Context, assets Assets, store Store, accountID, modelID, name string) (string, error) {
	base := symbolFrom(name)
	candidates := []string{base}
	for n := 2; n <= 100; n++ {
		candidates = append(candidates, fmt.Sprintf("%s%d", base, n))
	}
	used, err := store.SymbolsInUse(ctx, accountID, candidates)
	if err != nil {
		return "", err
	}
	listed, err := assets.AssetsBySymbol(ctx, candidates)
	if err != nil {
		return "", err
	}
	for _, c := range candidates {
		if owner, taken := used[c]; (!taken || owner == modelID) && listed[c] == nil {
			return c, nil
		}
	}
	return "", fault.New(fault.SymbolTaken, "No free symbol could be made from the name %q. Set SYMBOL in the script.", name)
}

// symbolFrom makes a symbol of at most eight letters and digits from a name.
func symbolFrom(name string) string {
	var b strings.Builder
	for _, c := range strings.ToUpper(name) {
		switch {
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && b.Len() > 0:
			b.WriteRune(c)
		}
		if b.Len() == 8 {
			break
		}
	}
	if b.Len() == 0 {
		return "MODEL"
	}
	return b.String()
}

// slug makes a public address from a name; the identifier's random end makes it unique.
func slug(name, modelID string) string {
	var b strings.Builder
	dash := false
	for _, c := range strings.ToLower(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			dash = b.Len() > 0
			continue
		}
		if b.Len() >= 48 {
			break
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(c)
	}
	if b.Len() > 0 {
		b.WriteByte('-')
	}
	return b.String() + modelID[len(modelID)-10:]
}

func orDefault(v *bool, d bool) bool {
	if v == nil {
		return d
	}
	return *v
}
