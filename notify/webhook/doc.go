// Package webhook tells other services what happens to an account's models.
//
// An event is one thing that has happened. Where it is told to anybody, one
// delivery for each subscribed endpoint is stored in the transaction that made
// it happen, so that nothing is told that did not happen and nothing that did is
// forgotten. Deliveries of one model to one endpoint go out one after another,
// each at least once, signed by the Standard Webhooks scheme
// (https://www.standardwebhooks.com).
package webhook
