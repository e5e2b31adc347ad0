//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "cluster: machines are made of Linux namespaces")
	os.Exit(2)
}
