package history

// Node is a part of a model: the model itself at the root, a member model with its
// own members, or a leaf, which is an asset or CASH. The weights of its children add
// up to its own.
type Node struct {
	Key      string
	Weights  []float64 // fractions of the whole model, one per date
	Children []*Node   // nil for a leaf
}

// tree returns the whole model as a node above its parts.
func (w *window) tree(parts []*Node) *Node {
	whole := make([]float64, len(w.dates()))
	for i := range whole {
		whole[i] = 1
	}
	return &Node{Key: w.names.root(w.run), Weights: whole, Children: parts}
}
