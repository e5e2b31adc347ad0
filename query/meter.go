package query

import (
	"context"
	"errors"
	"time"

	"ballast/query/engine"
)

// Meter charges accounts for statements.
type Meter interface {
	// AdmitQuery returns fault.InsufficientFunds if the account cannot pay for a second.
	AdmitQuery(ctx context.Context, accountID string) error

	// ChargeQuery charges the processor seconds of a statement, at most what remains.
	ChargeQuery(ctx context.Context, accountID string, seconds int) error
}

// admit rejects a statement of an account without credit. It is called when it is the
// statement's turn, so that an account overdraws at most by what it runs at a time.
func (s *Service) admit(ctx context.Context, scope Scope) error {
	if s.c.Meter == nil || scope.All {
		return nil
	}
	return s.c.Meter.AdmitQuery(ctx, scope.AccountID)
}

// chargeTimeout limits a charge, which has to be written even if the caller has left.
const chargeTimeout = 10 * time.Second

// charge charges a closed answer, however it ended.
func (s *Service) charge(ctx context.Context, scope Scope, a *engine.Answer) {
	if s.c.Meter == nil || scope.All || a == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), chargeTimeout)
	defer cancel()
	if err := s.c.Meter.ChargeQuery(ctx, scope.AccountID, seconds(a.CPU(), a.Err())); err != nil {
		s.c.Logger.ErrorContext(ctx, "a statement was not charged", "account_id", scope.AccountID, "error", err)
	}
}

// seconds is what a statement is charged: each second that it began or, if it was
// invalid, that it completed, so that a mistake in writing one costs nothing.
func seconds(cpu time.Duration, end error) int {
	var f *engine.Failure
	if !errors.As(end, &f) || f.Reason != engine.Invalid {
		cpu += time.Second - 1
	}
	return int(cpu / time.Second)
}
