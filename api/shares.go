package api

import (
	"context"
	"net/http"
	"time"

	"ballast/internal/fault"
	"ballast/program/shares"
)

// ShareBody is a share without its address, which is shown only once.
type ShareBody struct {
	ID          string     `json:"id"`
	ProgramID   string     `json:"program_id" doc:"The model, simulation or analysis"`
	ProgramName string     `json:"program_name"`
	RunID       *string    `json:"run_id" doc:"null: the run that the model serves at the time of a view"`
	Name        *string    `json:"name" doc:"For you; viewers do not see it"`
	State       string     `json:"state" enum:"open,paused,expired"`
	Panels      []string   `json:"panels" doc:"The parts of the page that are shown; empty: all"`
	ShowScript  bool       `json:"show_script"`
	ShowAmounts bool       `json:"show_amounts"`
	Paused      bool       `json:"paused"`
	ExpiresAt   *time.Time `json:"expires_at"`
	Views       int64      `json:"views" doc:"How often the page was opened"`
	LastViewed  *time.Time `json:"last_viewed_at"`
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
}

// newShareBody is a share with its addresses, which are shown only once.
type newShareBody struct {
	ShareBody
	URL      string `json:"url" doc:"The page. Whoever has the address sees it; it is not stored and cannot be shown again"`
	ChartURL string `json:"chart_url" doc:"A drawing of the growth, as SVG"`
	EmbedURL string `json:"embed_url" doc:"A page for a frame of another site"`
}

type createShareInput struct {
	Body struct {
		Model       string     `json:"model,omitempty" doc:"Id, slug, symbol or exact name of a model; its page follows the model" example:"SIXTY40"`
		RunID       string     `json:"run_id,omitempty" doc:"Instead of model: a complete run, which never changes"`
		Name        string     `json:"name,omitempty" maxLength:"100" doc:"For you; viewers do not see it"`
		Panels      []string   `json:"panels,omitempty" maxItems:"50" doc:"The parts of the page that are shown: growth, figures, months, rolling, drawdowns, allocation, parts, trades, contributions, costs, compare, answer, downloads, inputs, run; default: all"`
		ShowScript  bool       `json:"show_script,omitempty" doc:"Show the inputs and let viewers download the script; default false"`
		ShowAmounts bool       `json:"show_amounts,omitempty" doc:"Show amounts of money; default false. A simulation needs true"`
		Paused      bool       `json:"paused,omitempty" doc:"Do not show anything yet"`
		ExpiresAt   *time.Time `json:"expires_at,omitempty" doc:"When the share ends by itself; default: never"`
	} `nameHint:"ShareCreate"`
}

// ShareParameter names a share.
type ShareParameter struct {
	ShareID string `path:"share_id" minLength:"1" doc:"Share id"`
}

type patchShareInput struct {
	ShareParameter
	Body struct {
		Name        field[string]    `json:"name,omitempty" nullable:"true" maxLength:"100" doc:"null clears it"`
		Panels      field[[]string]  `json:"panels,omitempty" nullable:"true" maxItems:"50" doc:"null shows all"`
		ShowScript  field[bool]      `json:"show_script,omitempty"`
		ShowAmounts field[bool]      `json:"show_amounts,omitempty"`
		Paused      field[bool]      `json:"paused,omitempty"`
		ExpiresAt   field[time.Time] `json:"expires_at,omitempty" nullable:"true" doc:"null: never"`
	} `nameHint:"SharePatch"`
}

type sharesInput struct {
	PageParameters
	Model string `query:"model" doc:"Only shares of this model or of its runs: id, slug, symbol or exact name"`
	RunID string `query:"run_id" doc:"Only shares of this run"`
}

type shareOutput struct{ Body ShareBody }

type newShareOutput struct{ Body newShareBody }

type sharesOutput struct{ Body pageBody[ShareBody] }

func (s *Server) registerShares() {
	if s.Shares == nil {
		return
	}
	register(s, route{
		method: http.MethodPost, path: "/v1/shares", id: "create-share", tag: tagShares, status: http.StatusCreated,
		summary:     "Share a result",
		description: "Makes a link under which anybody sees what a model serves, or the result of a run. The response shows the address, this once.",
		faults:      []fault.Type{fault.NotFound, fault.NoHistory, fault.RunIncomplete},
	}, s.createShare)
	register(s, route{
		method: http.MethodGet, path: "/v1/shares", id: "list-shares", tag: tagShares, status: http.StatusOK,
		summary: "List shares", description: "Lists shares, newest first, with their views.", faults: []fault.Type{fault.NotFound},
	}, s.listShares)
	register(s, route{
		method: http.MethodGet, path: "/v1/shares/{share_id}", id: "get-share", tag: tagShares, status: http.StatusOK,
		summary: "Read a share", faults: []fault.Type{fault.NotFound},
	}, s.getShare)
	register(s, route{
		method: http.MethodPatch, path: "/v1/shares/{share_id}", id: "patch-share", tag: tagShares, status: http.StatusOK,
		summary: "Change a share", description: "Changes the given fields at once, also for those who have the page open and reload it.", faults: []fault.Type{fault.NotFound, fault.NotReady},
	}, s.patchShare)
	register(s, route{
		method: http.MethodDelete, path: "/v1/shares/{share_id}", id: "delete-share", tag: tagShares, status: http.StatusOK,
		summary: "End a share", description: "The link shows nothing any more, at once and for good.", faults: []fault.Type{fault.NotFound},
	}, s.deleteShare)
}

func (s *Server) createShare(ctx context.Context, in *createShareInput) (*newShareOutput, error) {
	b := in.Body
	share, token, err := s.Shares.Create(ctx, accountOf(ctx), shares.Request{Model: b.Model, Run: b.RunID, Share: shares.Share{
		Name: b.Name, Panels: b.Panels, ShowScript: b.ShowScript, ShowAmounts: b.ShowAmounts, Paused: b.Paused, ExpiresAt: utc(b.ExpiresAt),
	}})
	if err != nil {
		return nil, err
	}
	at := exchangeOf(ctx).origin + "/share/" + token
	return &newShareOutput{newShareBody{s.shareBodyOf(share), at, at + "/chart.svg", at + "/embed"}}, nil
}

func (s *Server) listShares(ctx context.Context, in *sharesInput) (*sharesOutput, error) {
	list, total, err := s.Shares.Shares(ctx, accountOf(ctx), in.Model, in.RunID, in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &sharesOutput{pageOf(list, total, s.shareBodyOf)}, nil
}

func (s *Server) getShare(ctx context.Context, in *ShareParameter) (*shareOutput, error) {
	share, err := s.Shares.Share(ctx, accountOf(ctx), in.ShareID)
	if err != nil {
		return nil, err
	}
	return &shareOutput{s.shareBodyOf(share)}, nil
}

func (s *Server) patchShare(ctx context.Context, in *patchShareInput) (*shareOutput, error) {
	b := in.Body
	p := shares.Patch{Name: cleared(b.Name), Panels: cleared(b.Panels), ShowScript: b.ShowScript.Value, ShowAmounts: b.ShowAmounts.Value, Paused: b.Paused.Value}
	if b.ExpiresAt.Given {
		at := utc(b.ExpiresAt.Value)
		p.ExpiresAt = &at
	}
	share, err := s.Shares.Patch(ctx, accountOf(ctx), in.ShareID, p)
	if err != nil {
		return nil, err
	}
	return &shareOutput{s.shareBodyOf(share)}, nil
}

// cleared is a field for which null means its zero value; nil if it is not given.
func cleared[T any](f field[T]) *T {
	if f.Given && f.Value == nil {
		return new(T)
	}
	return f.Value
}

func (s *Server) deleteShare(ctx context.Context, in *ShareParameter) (*deletedOutput, error) {
	if err := s.Shares.Delete(ctx, accountOf(ctx), in.ShareID); err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: in.ShareID, Deleted: true}}, nil
}

func (s *Server) shareBodyOf(share *shares.Share) ShareBody {
	return ShareBody{
		ID: share.ID, ProgramID: share.ProgramID, ProgramName: share.ProgramName, RunID: textOrNull(share.RunID), Name: textOrNull(share.Name),
		State: string(share.State(s.now())), Panels: append([]string{}, share.Panels...), ShowScript: share.ShowScript, ShowAmounts: share.ShowAmounts,
		Paused: share.Paused, ExpiresAt: share.ExpiresAt, Views: share.Views, LastViewed: share.LastViewed, CreatedAt: share.CreatedAt, UpdatedAt: share.UpdatedAt,
	}
}
