package segments

import (
	"context"
	"errors"

	"ballast/operate/doctor"
)

// Check examines the files of all segments. No result is lost if one is damaged: the
// segment is written again from the runs' own files.
func Check(g *Gatherer, s *Sweeper) doctor.Check {
	return doctor.Check{
		Name: "segments",
		Look: func(ctx context.Context) ([]doctor.Finding, error) {
			findings, err := g.examine(ctx)
			if err != nil {
				return nil, err
			}
			unnamed, err := s.unnamed(ctx)
			for _, key := range unnamed {
				findings = append(findings, doctor.Finding{
					Subject: key, Message: "is a file of a segment that nothing names",
					Advice: "no action needed: a running service deletes it within the hour, and --fix deletes it now",
				})
			}
			return findings, err
		},
		Repair: func(ctx context.Context) error { return errors.Join(g.GatherAll(ctx), s.Sweep(ctx)) },
	}
}

// examine finds the damaged segments of all accounts.
func (g *Gatherer) examine(ctx context.Context) ([]doctor.Finding, error) {
	accounts, err := g.Runs.AccountsWithResults(ctx)
	if err != nil {
		return nil, err
	}
	var findings []doctor.Finding
	for _, accountID := range accounts {
		current, _, err := g.Catalog.Segments(ctx, accountID)
		if err != nil {
			return nil, err
		}
		damaged, err := g.damaged(ctx, accountID, current)
		if err != nil {
			return nil, err
		}
		for id := range damaged {
			findings = append(findings, doctor.Finding{
				Subject: id, Message: "is a segment of results with a file that is missing or has another size",
				Advice: "no action needed: a running service writes it again within minutes, and --fix does it now",
			})
		}
	}
	return findings, nil
}
