// Package mail sends mails to the owners of models whose allocation has changed: one
// mail per change, with the new allocation beside the former one.
package mail
