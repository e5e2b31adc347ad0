// Package sample generates catalogs of any size, and filters for them, from a seed: for
// tests that compare screening with a plain scan, and for benchmarks without a real
// catalog.
package sample
