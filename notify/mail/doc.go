// Package mail writes to the owners of models whose allocation has changed: by
// mail, once a change, with what is held now beside what was held before.
package mail
