package result

// Columns are one vector a key.
type Columns struct {
	Keys   []string
	Values [][]float64
}
