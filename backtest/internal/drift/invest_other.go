//go:build !amd64

package drift

func investQuick(_, _, _ []float64, _, _ []int, _ float64) (Invested, int) { return Invested{}, 0 }

func weighQuick(_, _ []float64, _ float64) int { return 0 }

func finiteQuick(_ []float64) (bool, int) { return true, 0 }
