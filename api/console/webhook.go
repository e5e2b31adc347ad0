package console

import (
	"context"
	"net/url"
	"slices"

	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/notify/webhook"
)

// Deliveries reads what was sent to endpoints, and sends it again. *webhook.Service
// implements it.
type Deliveries interface {
	Test(ctx context.Context, accountID, ref string) (*webhook.Delivery, error)
	Deliveries(ctx context.Context, accountID, ref string, status webhook.Status, limit, offset int) ([]*webhook.Delivery, int, error)
	Redeliver(ctx context.Context, accountID, ref, deliveryRef string) (*webhook.Delivery, error)
}

// webhookPage is one webhook with what was sent to it.
type webhookPage struct {
	*webhook.Webhook
	Base     string
	Shown    string // the secret, if it was just made
	Fields   webhookFields
	Rows     []*webhook.Delivery
	Pager    pager
	Status   webhook.Status // of the deliveries that are listed; "" for all
	Statuses []webhook.Status
	FormKey  string
}

func (c *Console) showWebhook(r *request) (view, error) {
	w, err := c.Webhooks.Webhook(r.Context(), r.account(), r.webhookID())
	if err != nil {
		return view{}, err
	}
	return c.webhookView(r, w, "")
}

// webhookView shows a webhook, with its secret if that was just made.
func (c *Console) webhookView(r *request, w *webhook.Webhook, secret string) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	p := &webhookPage{
		Webhook: w, Base: webhookAddress(w.ID), Shown: secret, Fields: fieldsOf(w.URL, w.Description, w.Events), FormKey: r.formKey(),
		Status: webhook.Status(r.URL.Query().Get("status")), Statuses: webhook.Statuses,
	}
	if p.Status != "" && !slices.Contains(webhook.Statuses, p.Status) {
		return view{}, fault.New(fault.InvalidParameter, "There is no status %q.", p.Status).With(fault.Detail{Field: "status", Message: "is not a status", Accepted: texts(webhook.Statuses)})
	}
	deliveries, total, err := c.Deliveries.Deliveries(r.Context(), r.account(), w.ID, p.Status, pageSize, (page-1)*pageSize)
	p.Rows, p.Pager = deliveries, r.pages(page, total)
	return view{Template: "webhook.html", Title: "Webhook", Section: accountRoot, Data: p}, err
}

// changeWebhook does what the button says: it saves the fields, switches the webhook on
// or off, makes a new secret, sends a test, or deletes the webhook.
func (c *Console) changeWebhook(r *request) (view, error) {
	next := webhookAddress(r.webhookID())
	fields, patch := r.webhookForm()
	switch r.PostForm.Get("action") {
	case "test":
		err := c.change(r, "test-webhook", func(ctx context.Context) error {
			_, err := c.Deliveries.Test(ctx, r.account(), r.webhookID())
			return err
		})
		return view{Next: next + "#deliveries"}, err
	case "delete":
		err := c.change(r, "delete-webhook", func(ctx context.Context) error {
			_, err := c.Webhooks.Delete(ctx, r.account(), r.webhookID())
			return err
		})
		return view{Next: Root + "/account/webhooks"}, err
	case "rotate":
		return c.rotateSecret(r, next)
	case "enable", "disable":
		on := r.PostForm.Get("action") == "enable"
		patch = webhook.Patch{Enabled: &on}
	}
	err := c.change(r, "patch-webhook", func(ctx context.Context) error {
		_, err := c.Webhooks.Patch(ctx, r.account(), r.webhookID(), patch)
		return err
	})
	if err == nil {
		return view{Next: next}, nil
	}
	v, missing := c.showWebhook(r)
	if page, ok := v.Data.(*webhookPage); ok && patch.URL != nil {
		page.Fields = fields
	}
	v.Refusal = c.refusalOf(r, err)
	return v, missing
}

// rotateSecret makes a new secret and shows it, unless the same form has made one before.
func (c *Console) rotateSecret(r *request, next string) (view, error) {
	var made *webhook.Webhook
	next, err := c.once(r, "patch-webhook", func(ctx context.Context) (string, error) {
		var err error
		made, err = c.Webhooks.Patch(ctx, r.account(), r.webhookID(), webhook.Patch{Rotate: true})
		return next, err
	})
	if err != nil || made == nil {
		return view{Next: next}, err
	}
	return c.webhookView(r, made, made.Secret)
}

// redeliver sends an event again.
func (c *Console) redeliver(r *request) (view, error) {
	err := c.change(r, "redeliver", func(ctx context.Context) error {
		_, err := c.Deliveries.Redeliver(ctx, r.account(), r.webhookID(), mux.Vars(r.Request)["delivery"])
		return err
	})
	next := webhookAddress(r.webhookID())
	if status := r.PostForm.Get("status"); status != "" {
		next += "?" + url.Values{"status": {status}}.Encode()
	}
	return view{Next: next + "#deliveries"}, err
}
