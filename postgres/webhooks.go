package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/billing"
	"ballast/internal/fault"
	"ballast/notify/webhook"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program/jobs"
)

// CreateWebhook adds an endpoint.
func (db *DB) CreateWebhook(ctx context.Context, w *webhook.Webhook) error {
	w.CreatedAt, w.UpdatedAt = stamp(w.CreatedAt), stamp(w.UpdatedAt)
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if err := db.checkQuotas(ctx, q, w.AccountID, rowBytes+len(w.URL)+len(w.Description), billing.Webhooks); err != nil {
			return err
		}
		return q.InsertWebhook(ctx, dbsqlc.InsertWebhookParams{
			ID: w.ID, AccountID: w.AccountID, Url: w.URL, Description: storable(w.Description), Events: kindTexts(w.Events),
			Enabled: w.Enabled, Secret: w.Secret, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
		})
	})
	return wrap(err, "create webhook %s", w.ID)
}

// Webhook reads an account's endpoint.
func (db *DB) Webhook(ctx context.Context, accountID, webhookID string) (*webhook.Webhook, error) {
	row, err := db.queries.Webhook(ctx, dbsqlc.WebhookParams{ID: webhookID, AccountID: accountID})
	if absent(err) {
		return nil, fault.Missing("webhook", webhookID)
	}
	if err != nil {
		return nil, wrap(err, "read webhook %s", webhookID)
	}
	return webhookOf(row), nil
}

// Webhooks lists an account's endpoints, newest first.
func (db *DB) Webhooks(ctx context.Context, accountID string, limit, offset int) ([]*webhook.Webhook, int, error) {
	var out []*webhook.Webhook
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		rows, err := q.Webhooks(ctx, dbsqlc.WebhooksParams{AccountID: accountID, Most: int32(limit), Skip: skip(offset)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			out = append(out, webhookOf(r))
		}
		total, err = q.CountWebhooks(ctx, accountID)
		return err
	})
	return out, int(total), wrap(err, "list webhooks of %s", accountID)
}

// PatchWebhook changes an endpoint. If it is enabled again, the deliveries that waited
// meanwhile are queued.
func (db *DB) PatchWebhook(ctx context.Context, accountID, webhookID string, change func(*webhook.Webhook) error) (*webhook.Webhook, error) {
	var w *webhook.Webhook
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		row, err := q.LockWebhook(ctx, dbsqlc.LockWebhookParams{ID: webhookID, AccountID: accountID})
		if absent(err) {
			return fault.Missing("webhook", webhookID)
		}
		if err != nil {
			return err
		}
		w = webhookOf(row)
		if err := change(w); err != nil {
			return err
		}
		w.UpdatedAt = stamp(w.UpdatedAt)
		if err := q.UpdateWebhook(ctx, dbsqlc.UpdateWebhookParams{
			ID: w.ID, Url: w.URL, Description: storable(w.Description), Events: kindTexts(w.Events), Enabled: w.Enabled, Disabled: w.Disabled,
			Secret: w.Secret, Former: w.Former, FormerUntil: w.FormerUntil, UpdatedAt: w.UpdatedAt,
		}); err != nil {
			return err
		}
		if !w.Enabled || row.Enabled {
			return nil
		}
		waiting, err := q.Lines(ctx, w.ID)
		if err != nil {
			return err
		}
		args := make([]jobs.DeliverArgs, len(waiting))
		for i, deliveryID := range waiting {
			args[i] = jobs.DeliverArgs{DeliveryID: deliveryID, WebhookID: w.ID, AccountID: w.AccountID}
		}
		return db.queueDeliveries(ctx, tx, args...)
	})
	return w, wrap(err, "change webhook %s", webhookID)
}

// DeleteWebhook removes an endpoint with its deliveries.
func (db *DB) DeleteWebhook(ctx context.Context, accountID, webhookID string) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		n, err := q.DeleteWebhook(ctx, dbsqlc.DeleteWebhookParams{ID: webhookID, AccountID: accountID})
		if err == nil && n == 0 {
			return fault.Missing("webhook", webhookID)
		}
		return err
	})
	return wrap(err, "delete webhook %s", webhookID)
}

func webhookOf(r dbsqlc.Webhook) *webhook.Webhook {
	return &webhook.Webhook{
		ID: r.ID, AccountID: r.AccountID, URL: r.Url, Description: r.Description, Events: kindsOf(r.Events),
		Enabled: r.Enabled, Disabled: r.Disabled, Secret: r.Secret, Former: r.Former, FormerUntil: utc(r.FormerUntil),
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

func kindTexts(kinds []webhook.Kind) []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k)
	}
	return out
}

func kindsOf(texts []string) []webhook.Kind {
	out := make([]webhook.Kind, len(texts))
	for i, t := range texts {
		out[i] = webhook.Kind(t)
	}
	return out
}
