// Package shares gives results to people without an account: a share is a link under
// which anybody sees the result that a model serves, or that of one run.
//
// The link ends in a token of 128 random bits (token.go). Only its hash is stored, so the
// address is shown once, when the share is made. A share says which parts of the page are
// shown, and whether the script and amounts of money are; it can be paused, and may expire.
// Each view reads the share again, so a share that is paused or deleted is closed at once
// in every process. A viewer sees of private member models what a stranger sees on the
// page of a public model: the key under which the script names them, and their returns.
//
// Views are counted in memory and added to the stored count about once a second
// (views.go), so that a page that many people open does not make them wait for each other.
package shares
