// Package goclient writes the types and methods of the Go client in clients/go from the
// OpenAPI document, so that every operation has a method and every method an operation.
// A test of package api compares the committed file with what Generate writes.
package goclient
