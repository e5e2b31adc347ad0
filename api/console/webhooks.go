package console

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"ballast/notify/webhook"
)

// Webhooks keeps the endpoints that receive events. Methods return faults.
// *webhook.Service implements it.
type Webhooks interface {
	Create(ctx context.Context, accountID string, p webhook.Patch) (*webhook.Webhook, error)
	Webhook(ctx context.Context, accountID, ref string) (*webhook.Webhook, error)
	Webhooks(ctx context.Context, accountID string, limit, offset int) ([]*webhook.Webhook, int, error)
	Patch(ctx context.Context, accountID, ref string, p webhook.Patch) (*webhook.Webhook, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// webhookList is the page of the account's webhooks.
type webhookList struct {
	Rows    []*webhook.Webhook
	Pager   pager
	Fields  webhookFields
	FormKey string
}

// webhookFields are the fields of the form of a webhook.
type webhookFields struct {
	URL, Description string
	Events           []eventField
}

type eventField struct {
	Kind    webhook.Kind
	Checked bool
}

// fieldsOf returns the fields with these values.
func fieldsOf(address, description string, chosen []webhook.Kind) webhookFields {
	f := webhookFields{URL: address, Description: description}
	for _, k := range webhook.Kinds {
		f.Events = append(f.Events, eventField{k, slices.Contains(chosen, k)})
	}
	return f
}

// webhookForm reads the fields of a posted form.
func (r *request) webhookForm() (webhookFields, webhook.Patch) {
	var events []webhook.Kind
	for _, name := range r.PostForm["event"] {
		events = append(events, webhook.Kind(name))
	}
	address, description := strings.TrimSpace(r.PostForm.Get("url")), strings.TrimSpace(r.PostForm.Get("description"))
	return fieldsOf(address, description, events), webhook.Patch{URL: &address, Description: &description, Events: &events}
}

func (c *Console) listWebhooks(r *request) (view, error) {
	return c.webhooksView(r, &webhookList{Fields: fieldsOf("", "", nil), FormKey: r.formKey()})
}

func (c *Console) webhooksView(r *request, list *webhookList) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	hooks, total, err := c.Webhooks.Webhooks(r.Context(), r.account(), pageSize, (page-1)*pageSize)
	list.Rows, list.Pager = hooks, r.pages(page, total)
	return view{Template: "webhooks.html", Title: "Webhooks", Section: accountRoot, Data: list}, err
}

// createWebhook makes a webhook and answers with a page that shows its secret once.
func (c *Console) createWebhook(r *request) (view, error) {
	fields, patch := r.webhookForm()
	var made *webhook.Webhook
	next, err := c.once(r, "create-webhook", func(ctx context.Context) (string, error) {
		var err error
		if made, err = c.Webhooks.Create(ctx, r.account(), patch); err != nil {
			return "", err
		}
		return webhookAddress(made.ID), nil
	})
	switch {
	case err != nil:
		v, failed := c.webhooksView(r, &webhookList{Fields: fields, FormKey: r.formKey()})
		v.Refusal = c.refusalOf(r, err)
		return v, failed
	case made == nil:
		return view{Next: next}, nil
	}
	return c.webhookView(r, made, made.Secret)
}

// webhookAddress is the address of the page of a webhook.
func webhookAddress(id string) string { return Root + "/account/webhooks/" + url.PathEscape(id) }

// webhookID returns the webhook that the path names.
func (r *request) webhookID() string { return mux.Vars(r.Request)["webhook"] }
