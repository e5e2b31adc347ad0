package account

// SavedResponse is the first response to a request with an Idempotency-Key, which an
// account may repeat for a day.
type SavedResponse struct {
	Status      int
	ContentType string
	Body        []byte
}
