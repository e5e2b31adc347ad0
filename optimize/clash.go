package optimize

import "fmt"

// A Limit is one side of a bound or row.
type Limit struct {
	Row    int // the row, or −1 for a bound
	Weight int // the weight of a bound
	Upper  bool
}

// Clash is the error for limits that no weights can satisfy. It has the fewest that
// contradict one another: without any one of them, the others can be satisfied.
type Clash struct{ Limits []Limit }

// Error counts the limits; the caller, who knows their names, says which they are.
func (c *Clash) Error() string {
	return fmt.Sprintf("%d limits contradict one another", len(c.Limits))
}
