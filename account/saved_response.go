package account

// SavedResponse is the response to the first request with an Idempotency-Key. When the
// account repeats the request within a day, it gets this response again.
type SavedResponse struct {
	Status      int
	ContentType string
	Body        []byte
}
