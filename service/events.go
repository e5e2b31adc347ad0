package service

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"ballast/notify/mail"
	"ballast/notify/webhook"
	"ballast/program/history"
	"ballast/program/jobs"
	"ballast/program/result"
)

// events sends notifications.
type events struct {
	deliverer jobs.Deliverer
	notifier  jobs.Notifier // nil without a mail server
}

// newEvents creates the senders of webhooks and mails.
func newEvents(c Config, s *Storage, results *result.Store, log *slog.Logger) (*events, error) {
	rules, err := c.Webhooks.rules()
	if err != nil {
		return nil, err
	}
	e := &events{deliverer: &webhook.Deliverer{
		Queue: s.DB, Outcomes: s.DB, Sender: webhook.NewSender(rules, time.Now), Changes: changedEvent(history.Changes{Store: s.DB, Results: results}), Logger: log, Now: time.Now,
	}}
	if c.Mail.SMTPURL == "" {
		return e, nil
	}
	if c.Mail.From == "" {
		return nil, invalid("--smtp-url needs --mail-from, the sender of the mails, such as --mail-from 'Ballast <ballast@example.com>'")
	}
	mailer, err := mail.NewSMTP(c.Mail.SMTPURL, c.Mail.From)
	if err != nil {
		return nil, err
	}
	e.notifier = &mail.Notifier{
		Store: s.DB, Changes: changesOf(history.Changes{Store: s.DB, Results: results}), Mailer: mailer, PublicURL: strings.TrimSuffix(c.HTTP.PublicURL, "/"), Logger: log, Now: time.Now,
	}
	return e, nil
}

func (c WebhooksConfig) rules() (webhook.Rules, error) {
	ports, err := webhook.ParsePorts(c.Ports)
	if err != nil {
		return webhook.Rules{}, invalid("--webhook-ports: %w", err)
	}
	return webhook.Rules{Private: c.Private, Ports: ports}, nil
}

// changedAllocation is the data of the event allocation.changed.
type changedAllocation struct {
	Model       webhook.Model      `json:"model"`
	RunID       string             `json:"run_id"`
	FormerRunID string             `json:"former_run_id"`
	AsOf        string             `json:"as_of"`
	Decided     string             `json:"decided"`
	Before      map[string]float64 `json:"before"`
	After       map[string]float64 `json:"after"`
}

func changedEvent(changes history.Changes) webhook.Changes {
	return func(ctx context.Context, formerRunID, runID string) (any, bool, error) {
		c, err := changes.AllocationChange(ctx, formerRunID, runID)
		if err != nil || c == nil {
			return nil, false, err
		}
		data := changedAllocation{
			Model: webhook.Model{ID: c.Model.ID, Name: c.Model.Name, Symbol: c.Model.Symbol}, RunID: c.RunID, FormerRunID: c.FormerRunID,
			AsOf: c.AsOf.String(), Decided: c.Decided.String(), Before: map[string]float64{}, After: map[string]float64{},
		}
		for _, row := range c.Rows {
			data.Before[row.Key], data.After[row.Key] = row.Before, row.After
		}
		return data, true, nil
	}
}

func changesOf(changes history.Changes) mail.Changes {
	return func(ctx context.Context, formerRunID, runID string) (*mail.Change, error) {
		c, err := changes.AllocationChange(ctx, formerRunID, runID)
		if err != nil || c == nil {
			return nil, err
		}
		out := &mail.Change{AsOf: c.AsOf.String(), Decided: c.Decided.String()}
		for _, row := range c.Rows {
			out.Rows = append(out.Rows, mail.Row(row))
		}
		return out, nil
	}
}
