package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ballast/letter"
	"ballast/program/history"
	"ballast/program/jobs"
	"ballast/program/result"
	"ballast/webhook"
)

// eventFlags are how the service tells what happens.
func eventFlags(f *pflag.FlagSet, c *Config) {
	f.StringVar(&c.PublicURL, "public-url", c.PublicURL, "address under which callers reach the service, for the addresses in its answers and mails; answers name the address that the caller has used without it")
	f.BoolVar(&c.WebhookPrivate, "webhook-private", c.WebhookPrivate, "let webhooks be http addresses and hosts of private networks")
	f.StringSliceVar(&c.WebhookPorts, "webhook-ports", c.WebhookPorts, "ports and ranges of ports that webhooks may have besides 443 and 80, such as 8443 or 9000-9010")
	f.StringVar(&c.SMTPURL, "smtp-url", c.SMTPURL, "mail server of the allocation mails, smtp://user:password@host:587 or smtps://…; none sends none")
	f.StringVar(&c.MailFrom, "mail-from", c.MailFrom, "sender of the mails, Ballast <ballast@example.com>")
}

// events sends what is to be told of what happens.
type events struct {
	deliverer jobs.Deliverer
	writer    jobs.Writer // nil without a mail server
}

// newEvents makes the senders of webhooks and mails.
func newEvents(c Config, s *storage, results *result.Store, log *slog.Logger) (*events, error) {
	rules, err := webhookRules(c)
	if err != nil {
		return nil, err
	}
	e := &events{deliverer: &webhook.Deliverer{
		Queue: s.db, Outcomes: s.db, Sender: webhook.NewSender(rules, time.Now), Changes: changedEvent(history.Changes{Store: s.db, Results: results}), Logger: log, Now: time.Now,
	}}
	if c.SMTPURL == "" {
		return e, nil
	}
	if c.MailFrom == "" {
		return nil, errors.New("--smtp-url is set without --mail-from: say who the mails come from, such as --mail-from 'Ballast <ballast@example.com>'")
	}
	mailer, err := letter.NewSMTP(c.SMTPURL, c.MailFrom)
	if err != nil {
		return nil, err
	}
	e.writer = &letter.Writer{
		Store: s.db, Changes: changedLetter(history.Changes{Store: s.db, Results: results}), Mailer: mailer, PublicURL: strings.TrimSuffix(c.PublicURL, "/"), Logger: log, Now: time.Now,
	}
	return e, nil
}

func webhookRules(c Config) (webhook.Rules, error) {
	ports, err := webhook.ParsePorts(c.WebhookPorts)
	if err != nil {
		return webhook.Rules{}, usage("--webhook-ports: %w", err)
	}
	return webhook.Rules{Private: c.WebhookPrivate, Ports: ports}, nil
}

// changedAllocation is the data of allocation.changed.
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

func changedLetter(changes history.Changes) letter.Changes {
	return func(ctx context.Context, formerRunID, runID string) (*letter.Change, error) {
		c, err := changes.AllocationChange(ctx, formerRunID, runID)
		if err != nil || c == nil {
			return nil, err
		}
		out := &letter.Change{AsOf: c.AsOf.String(), Decided: c.Decided.String()}
		for _, row := range c.Rows {
			out.Rows = append(out.Rows, letter.Row(row))
		}
		return out, nil
	}
}
