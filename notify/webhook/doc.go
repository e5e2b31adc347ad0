// Package webhook tells other services what happens to an account's models.
//
// An event is one thing that has happened. The transaction in which it happens also
// stores one delivery for each subscribed endpoint. So no event is sent that did not
// happen, and none that happened is lost. Deliveries of one model to one endpoint are
// sent in order, each at least once, and signed according to Standard Webhooks
// (https://www.standardwebhooks.com).
package webhook
