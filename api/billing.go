package api

import (
	"context"
	"net/http"
	"time"

	"ballast/billing"
	"ballast/internal/fault"
)

// billingBody is what the account can spend and what is held.
type billingBody struct {
	RemainingCents      int64  `json:"remaining_cents" doc:"What can still be spent; work whose hold would exceed it is refused with 402"`
	HeldCents           int64  `json:"held_cents" doc:"Held by builds and runs in progress"`
	ProjectedRunCents   int64  `json:"projected_run_cents" doc:"Minimum hold of a run; estimate_cents of a model is what its next run would hold"`
	ProjectedBuildCents int64  `json:"projected_build_cents" doc:"Minimum hold of a build"`
	Plan                string `json:"plan" enum:"free,pro,business"`
	SignupGrantCents    int64  `json:"signup_grant_cents" doc:"Credit that the account received when its billing began"`
	UsageHelpURL        string `json:"usage_help_url" doc:"How usage is metered"`
}

type billingOutput struct{ Body billingBody }

// chargeBody is one entry of the billing history.
type chargeBody struct {
	ID          string    `json:"id" example:"charge_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	At          time.Time `json:"at" doc:"When the usage ended"`
	Kind        string    `json:"kind" enum:"build,run,test,query,credit,adjustment"`
	Activity    string    `json:"activity" doc:"What was done, under its name at the time"`
	ProgramID   *string   `json:"program_id,omitempty"`
	RunID       *string   `json:"run_id,omitempty"`
	BuildID     *string   `json:"build_id,omitempty"`
	Units       int       `json:"units" doc:"Sum of base, seconds and the units for tokens"`
	Base        int       `json:"base"`
	Tokens      int       `json:"tokens"`
	Seconds     int       `json:"seconds" doc:"Sandbox seconds, rounded up"`
	AmountCents int64     `json:"amount_cents" doc:"Positive for a charge, negative for a credit"`
	Cap         *capBody  `json:"cap" doc:"The rule that limited the amount, as it was at the time; null if none did"`
	Billed      bool      `json:"billed" doc:"false if the usage was not charged"`
	Identified  bool      `json:"identified" doc:"false for older charges that do not say what they were for"`
}

type capBody struct {
	Rule  string `json:"rule" enum:"hold,remaining" doc:"hold: never more than what was held; remaining: an SQL statement never costs more than what remains"`
	Cents int64  `json:"cents"`
}

type chargesInput struct {
	PageParameters
	StartDate string `query:"start_date" format:"date-time" doc:"Usage from this time on, inclusive" example:"2026-01-01T00:00:00Z"`
	EndDate   string `query:"end_date" format:"date-time" doc:"Usage before this time, exclusive" example:"2026-02-01T00:00:00Z"`
}

type chargesOutput struct{ Body pageBody[chargeBody] }

func (s *Server) registerBilling() {
	register(s, route{
		method: http.MethodGet, path: "/v1/account/billing", id: "get-billing", tag: tagAccount, status: http.StatusOK,
		summary:     "Read the account's credit",
		description: "Returns what can still be spent and what work in progress holds. The first read begins billing, with the plan's signup grant. Projections are estimates; if less remains, the next run or build is refused with 402 and nothing starts.",
	}, s.getBilling)
	register(s, route{
		method: http.MethodGet, path: "/v1/account/billing/charges", id: "list-charges", tag: tagAccount, status: http.StatusOK,
		summary:     "List charges",
		description: "Lists the itemised usage of the caller's own account, newest first, with credits and unbilled usage. Holds of work in progress and the plan's flat fee are not included. The window applies before paging.",
	}, s.listCharges)
}

func (s *Server) getBilling(ctx context.Context, _ *struct{}) (*billingOutput, error) {
	statement, err := s.Billing.Statement(ctx, accountOf(ctx))
	if err != nil {
		return nil, err
	}
	b := billingBody{
		RemainingCents: statement.RemainingCents, HeldCents: statement.HeldCents, SignupGrantCents: statement.SignupGrantCents,
		Plan: string(exchangeOf(ctx).identity.Plan), UsageHelpURL: s.address(ctx, "docs", "billing"),
	}
	if s.Policy.Metered {
		b.ProjectedRunCents, b.ProjectedBuildCents = s.Policy.Prices.RunHold(0), s.Policy.Prices.BuildHold(0)
	}
	return &billingOutput{b}, nil
}

func (s *Server) listCharges(ctx context.Context, in *chargesInput) (*chargesOutput, error) {
	f := billing.Filter{Start: timeOf(in.StartDate), End: timeOf(in.EndDate), Limit: in.Limit, Offset: in.Offset}
	if f.Start != nil && f.End != nil && f.End.Before(*f.Start) {
		return nil, fault.New(fault.InvalidParameter, "The window ends before it starts. Send an end_date on or after start_date.").
			With(fault.Detail{Location: "query.end_date", Message: "is before start_date"})
	}
	charges, total, err := s.Billing.Charges(ctx, accountOf(ctx), f)
	if err != nil {
		return nil, err
	}
	return &chargesOutput{pageOf(charges, total, chargeBodyOf)}, nil
}

func chargeBodyOf(c *billing.Charge) chargeBody {
	b := chargeBody{
		ID: c.ID, At: c.At.UTC(), Kind: string(c.Kind), Activity: c.Activity,
		ProgramID: textOrNull(c.ProgramID), RunID: textOrNull(c.RunID), BuildID: textOrNull(c.BuildID),
		Units: c.Units, Base: c.Base, Tokens: c.Tokens, Seconds: c.Seconds,
		AmountCents: c.AmountCents, Billed: c.Billed, Identified: c.Identified,
	}
	if c.Cap != nil {
		b.Cap = &capBody{Rule: c.Cap.Rule, Cents: c.Cap.Cents}
	}
	return b
}

// timeOf parses a time parameter that checkQuery has accepted. It returns nil if the
// parameter was left out.
func timeOf(s string) *time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return nil
	}
	return &t
}
