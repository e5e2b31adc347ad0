// Package sample makes up catalogs of any size, and filters of them, from a seed:
// for tests that hold screening to a plain scan, and for benchmarks where no real
// catalog is at hand.
package sample
