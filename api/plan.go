package api

import (
	"context"

	"ballast/billing"
	"ballast/internal/fault"
)

// recurring returns whether a model refreshes automatically, given what the caller
// asked for; nil stands for the default of the plan. It fails with fault.PlanRequired
// if the caller asked for refreshes and the plan has none.
func (s *Server) recurring(ctx context.Context, asked *bool) (*bool, error) {
	plan := exchangeOf(ctx).identity.Plan
	if s.Policy.Terms(plan).NightlyRefresh {
		return asked, nil
	}
	if asked != nil && *asked {
		return nil, fault.New(fault.PlanRequired, "auto_update needs %s; the account has the %s plan. Leave it out, or ask the operator for that plan.",
			s.Policy.Including(func(t billing.Terms) bool { return t.NightlyRefresh }), plan).
			With(fault.Detail{Location: "body.auto_update", Message: "is not included in the plan"})
	}
	off := false
	return &off, nil
}
