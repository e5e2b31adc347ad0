package program

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/script"
	"ballast/timeseries"
)

// Validate runs the static checks of a script; nothing runs, is stored or is metered.
func (s *Service) Validate(ctx context.Context, accountID, source string) (*Validation, error) {
	_, v, err := s.check(ctx, accountID, source)
	return v, err
}

// check validates a script against the contract and the members that the account can name.
func (s *Service) check(ctx context.Context, accountID, source string) (*script.Program, *Validation, error) {
	resolver := &resolver{ctx: ctx, service: s, accountID: accountID}
	p, problems := script.Check(source, resolver)
	if resolver.err != nil {
		return nil, nil, resolver.err
	}
	v := &Validation{Valid: len(problems) == 0, HarnessVersion: script.HarnessVersion, Errors: problems}
	if !v.Valid {
		return nil, v, nil
	}
	schema, err := json.Marshal(p.Inputs)
	if err != nil {
		return nil, nil, fmt.Errorf("encode inputs schema: %w", err)
	}
	v.InputsSchema = schema
	return p, v, nil
}

// Create stores a new model with its first build and run; the run is queued in
// the same transaction. A script that breaks the contract is refused with all
// its problems.
func (s *Service) Create(ctx context.Context, accountID string, req CreateRequest) (*Sheet, error) {
	if strings.TrimSpace(req.Script) == "" {
		return nil, missingScript(req)
	}
	p, v, err := s.check(ctx, accountID, req.Script)
	if err != nil {
		return nil, err
	}
	if !v.Valid {
		return nil, invalidScript(v.Errors)
	}
	symbol, err := s.symbol(ctx, accountID, p)
	if err != nil {
		return nil, err
	}
	inputs, details := p.Bind(nil)
	if len(details) > 0 {
		return nil, fault.New(fault.InvalidScript, "The script's default inputs do not fit its own schema.").With(details...)
	}
	validation, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode validation: %w", err)
	}
	now := s.now()
	m := &Model{
		ID: id.New(id.Model), AccountID: accountID, Name: p.Name, Symbol: symbol,
		Status: StatusBuilding, AutoUpdate: orDefault(req.AutoUpdate, true), NotifyEmail: orDefault(req.NotifyEmail, true),
		Description: p.Description, Prompt: req.Prompt, StartDate: timeseries.NoDate, StartRule: string(p.Start),
		CreatedAt: now, UpdatedAt: now,
	}
	m.Slug = slug(p.Name, m.ID)
	b := &Build{
		ID: id.New(id.Build), AccountID: accountID, ProgramID: m.ID, Kind: "create", Status: RunQueued,
		Script: req.Script, ScriptHash: p.Hash, InputsSchema: v.InputsSchema, Prompt: req.Prompt,
		Validation: validation, CreatedAt: now,
	}
	m.BuildID = b.ID
	r := &Run{
		ID: id.New(id.Run), AccountID: accountID, ProgramID: m.ID, BuildID: b.ID, Status: RunQueued, Publishes: true,
		Source: SourceCreate, Inputs: inputs.JSON(), ScriptHash: p.Hash, HarnessVersion: script.HarnessVersion,
		Progress: Progress{Step: "queued"}, CreatedAt: now,
		Base: timeseries.NoDate, First: timeseries.NoDate, Last: timeseries.NoDate,
	}
	if err := s.store.CreateModel(ctx, m, b, r); err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "model created", "model_id", m.ID, "build_id", b.ID, "run_id", r.ID)
	return s.store.Sheet(ctx, m.ID)
}

// symbol is the script's own, or one made from its name that the account does not use yet.
func (s *Service) symbol(ctx context.Context, accountID string, p *script.Program) (string, error) {
	if p.Symbol != "" {
		return p.Symbol, nil
	}
	base := symbolFrom(p.Name)
	candidates := []string{base}
	for n := 2; n <= 100; n++ {
		candidates = append(candidates, fmt.Sprintf("%s%d", base, n))
	}
	used, err := s.store.SymbolsInUse(ctx, accountID, candidates)
	if err != nil {
		return "", err
	}
	for _, c := range candidates {
		if !used[c] {
			return c, nil
		}
	}
	return "", fault.New(fault.SymbolTaken, "No free symbol could be made from the name %q. Set SYMBOL in the script.", p.Name)
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

func missingScript(req CreateRequest) error {
	if strings.TrimSpace(req.Prompt) == "" {
		return fault.New(fault.InvalidBody, "Give the model's script.").
			With(fault.Detail{Location: "body.script", Message: "is missing or empty", Accepted: []string{"a script of the contract described at /docs/script-contract"}})
	}
	return fault.New(fault.InvalidBody, "This server has no generator that turns a prompt into a script. Send the script; the prompt is then kept as the description.").
		With(fault.Detail{Location: "body.script", Message: "is missing or empty", Accepted: []string{"a script of the contract described at /docs/script-contract"}})
}

func invalidScript(problems []Problem) error {
	f := fault.New(fault.InvalidScript, "The script breaks the contract in %d place(s); details name each. Nothing was stored.", len(problems))
	for _, p := range problems {
		f.Details = append(f.Details, fault.Detail{
			Location: "body.script", Message: p.Message, Rule: p.Rule, Line: p.Line, Column: p.Column,
			Accepted: p.Accepted, Suggestion: p.Suggestion,
		})
	}
	return f
}

func orDefault(v *bool, d bool) bool {
	if v == nil {
		return d
	}
	return *v
}
