package result

// Columns holds one vector per key.
type Columns struct {
	Keys   []string
	Values [][]float64
}
