package main

import (
	"os"

	"github.com/spf13/cobra"

	"ballast/cmd/internal/suite"
)

// benchCommand measures the program itself.
func benchCommand() *cobra.Command {
	binary, err := os.Executable()
	if err != nil {
		binary = "ballast"
	}
	return suite.Command(binary)
}
