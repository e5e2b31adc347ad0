package shares

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
	"ballast/script/harness"
)

// Store keeps shares. Methods about an account's share return fault.NotFound for another
// account's.
type Store interface {
	// CreateShare adds a share; fault.InvalidBody above MostShares, fault.NotFound if its
	// program or run is no more.
	CreateShare(ctx context.Context, s *Share, hash []byte) error
	// Shares lists an account's shares, newest first, with the total before paging.
	Shares(ctx context.Context, f Filter) ([]*Share, int, error)
	// Share reads one.
	Share(ctx context.Context, accountID, shareID string) (*Share, error)
	// PatchShare changes one in a transaction. An error of change ends it.
	PatchShare(ctx context.Context, accountID, shareID string, change func(*Share) error) (*Share, error)
	// DeleteShare removes one.
	DeleteShare(ctx context.Context, accountID, shareID string) error
}

// Viewing reads shares by their tokens, and counts their views.
type Viewing interface {
	// OpenShare reads the share whose token has the hash, if it may be viewed at a time;
	// fault.NotFound.
	OpenShare(ctx context.Context, hash []byte, now time.Time) (*Share, error)
	// CountViews adds views by share id.
	CountViews(ctx context.Context, views map[string]int64, now time.Time) error
}

// Filter selects an account's shares. Empty fields select all.
type Filter struct {
	AccountID, ProgramID, RunID string
	Limit, Offset               int
}

// Models finds models. *program.Models implements it.
type Models interface {
	Served(ctx context.Context, accountID, ref string) (*program.Sheet, error)
}

// Runs finds runs. *program.Runs implements it.
type Runs interface {
	Run(ctx context.Context, accountID, ref string) (*program.Run, error)
}

// Config holds what New needs.
type Config struct {
	Store   Store
	Viewing Viewing
	Models  Models
	Runs    Runs
	Logger  *slog.Logger
	Now     func() time.Time // nil: time.Now
	// Stopping ends when the process begins to stop: then views are stored at once.
	Stopping context.Context //nolint:containedctx // it says when, and carries nothing
}

// Service carries out what owners and viewers do with shares.
type Service struct {
	c     Config
	views *views
}

// New creates a Service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Service{c: c, views: newViews(c.Viewing, c.Logger, c.Now)}
	if c.Stopping != nil {
		context.AfterFunc(c.Stopping, s.views.flush)
	}
	return s
}

// Request is what a caller asks for a new share.
type Request struct {
	Model, Run string // references; exactly one is given
	Share      Share  // Name, Panels, ShowScript, ShowAmounts, Paused and ExpiresAt
}

// Create makes a share of one of the account's models or complete runs, and returns the
// token of its address. fault.NotFound, fault.InvalidBody, fault.NoHistory,
// fault.RunIncomplete.
func (s *Service) Create(ctx context.Context, accountID string, r Request) (_ *Share, token string, err error) {
	share := r.Share
	share.ID, share.AccountID = id.New(id.Share), accountID
	share.CreatedAt = s.c.Now().UTC()
	share.UpdatedAt = share.CreatedAt
	if (r.Model == "") == (r.Run == "") {
		return nil, "", fault.New(fault.InvalidBody, "A share is of one model or of one run: give either model or run_id. Nothing was stored.").
			With(fault.Detail{Field: "model", Message: "give either model or run_id"})
	}
	if r.Model != "" {
		err = s.ofModel(ctx, &share, r.Model)
	} else {
		err = s.ofRun(ctx, &share, r.Run)
	}
	if err != nil {
		return nil, "", err
	}
	if err := s.check(&share); err != nil {
		return nil, "", err
	}
	token = newToken()
	hash, _ := Hash(token)
	if err := s.c.Store.CreateShare(ctx, &share, hash); err != nil {
		return nil, "", err
	}
	s.c.Logger.InfoContext(ctx, "share created", "share_id", share.ID, "account_id", accountID)
	return &share, token, nil
}

func (s *Service) ofModel(ctx context.Context, share *Share, ref string) error {
	m, err := s.c.Models.Served(ctx, share.AccountID, ref)
	switch {
	case err != nil:
		return err
	case m.AccountID != share.AccountID:
		return fault.Missing("model", ref)
	case m.Live == nil:
		return fault.New(fault.NoHistory, "The model has no result to share yet. Share it when its build has succeeded.")
	}
	share.ProgramID, share.ProgramName, share.Kind = m.ID, m.Name, program.KindModel
	return nil
}

func (s *Service) ofRun(ctx context.Context, share *Share, ref string) error {
	r, err := s.c.Runs.Run(ctx, share.AccountID, ref)
	switch {
	case err != nil:
		return err
	case r.AccountID != share.AccountID:
		return fault.Missing("run", ref)
	case r.Status != program.RunComplete:
		return fault.New(fault.RunIncomplete, "The run is %s and has no result to share. Share it when it is complete.", r.Status)
	}
	share.ProgramID, share.ProgramName, share.Kind, share.RunID = r.ProgramID, r.ProgramName, program.KindOf(r.ProgramID), r.ID
	return nil
}

// check refuses what is wrong with a share that is made or changed.
func (s *Service) check(share *Share) error {
	var details []fault.Detail
	share.Name = strings.TrimSpace(share.Name)
	if strings.ContainsFunc(share.Name, unicode.IsControl) || utf8.RuneCountInString(share.Name) > LongestName {
		details = append(details, fault.Detail{Field: "name", Message: fmt.Sprintf("must be up to %d characters on one line", LongestName)})
	}
	var panels []string
	for _, p := range Panels { // in the page's order, each once
		if slices.Contains(share.Panels, p) {
			panels = append(panels, p)
		}
	}
	for _, p := range share.Panels {
		if !slices.Contains(Panels, p) {
			details = append(details, fault.Detail{Field: "panels", Message: fmt.Sprintf("the page has no part %q", p), Accepted: Panels})
			break
		}
	}
	share.Panels = panels
	if share.ExpiresAt != nil && !share.ExpiresAt.After(s.c.Now()) {
		details = append(details, fault.Detail{Field: "expires_at", Message: "is in the past; give a later time, or leave it out for a share without an end"})
	}
	if !share.ShowAmounts && share.Kind == harness.Simulation {
		details = append(details, fault.Detail{Field: "show_amounts", Message: "the result of a simulation is amounts of money: say true, because without them nothing is left to show"})
	}
	if len(details) > 0 {
		return fault.New(fault.InvalidBody, "The share cannot be kept like this; details name each problem. Nothing has changed.").With(details...)
	}
	return nil
}

// Patch is a change of a share. Fields that are nil stay as they are.
type Patch struct {
	Name                            *string
	Panels                          *[]string
	ShowScript, ShowAmounts, Paused *bool
	ExpiresAt                       **time.Time // a pointer to nil removes the end
}

// Patch changes a share. fault.NotFound, fault.InvalidBody.
func (s *Service) Patch(ctx context.Context, accountID, shareID string, p Patch) (*Share, error) {
	return s.c.Store.PatchShare(ctx, accountID, shareID, func(share *Share) error {
		ended := share.ExpiresAt
		set(&share.Name, p.Name)
		set(&share.Panels, p.Panels)
		set(&share.ShowScript, p.ShowScript)
		set(&share.ShowAmounts, p.ShowAmounts)
		set(&share.Paused, p.Paused)
		set(&share.ExpiresAt, p.ExpiresAt)
		share.UpdatedAt = s.c.Now().UTC()
		if p.ExpiresAt != nil {
			return s.check(share)
		}
		share.ExpiresAt = nil // a share that has expired can still be renamed
		err := s.check(share)
		share.ExpiresAt = ended
		return err
	})
}

func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// Shares lists an account's shares, newest first, with the total before paging. The
// filter's program and run must be the account's; fault.NotFound.
func (s *Service) Shares(ctx context.Context, accountID, model, run string, limit, offset int) ([]*Share, int, error) {
	f := Filter{AccountID: accountID, Limit: limit, Offset: offset}
	if model != "" {
		m, err := s.c.Models.Served(ctx, accountID, model)
		if err != nil {
			return nil, 0, err
		}
		if m.AccountID != accountID {
			return nil, 0, fault.Missing("model", model)
		}
		f.ProgramID = m.ID
	}
	if run != "" {
		r, err := s.c.Runs.Run(ctx, accountID, run)
		if err != nil {
			return nil, 0, err
		}
		if r.AccountID != accountID {
			return nil, 0, fault.Missing("run", run)
		}
		f.RunID = r.ID
	}
	return s.c.Store.Shares(ctx, f)
}

// Share reads one of the account's shares; fault.NotFound.
func (s *Service) Share(ctx context.Context, accountID, shareID string) (*Share, error) {
	return s.c.Store.Share(ctx, accountID, shareID)
}

// Delete closes a share for good; fault.NotFound.
func (s *Service) Delete(ctx context.Context, accountID, shareID string) error {
	if err := s.c.Store.DeleteShare(ctx, accountID, shareID); err != nil {
		return err
	}
	s.c.Logger.InfoContext(ctx, "share deleted", "share_id", shareID, "account_id", accountID)
	return nil
}

// Open returns the share of a token. Anything that is not the token of a share that may be
// viewed now is the same fault.NotFound. counted says whether it counts as a view.
func (s *Service) Open(ctx context.Context, token string, counted bool) (*Share, error) {
	hash, ok := Hash(token)
	if !ok {
		return nil, fault.Missing("share", "")
	}
	share, err := s.c.Viewing.OpenShare(ctx, hash, s.c.Now().UTC())
	if err != nil {
		return nil, err
	}
	if counted {
		s.views.add(share.ID)
	}
	return share, nil
}
