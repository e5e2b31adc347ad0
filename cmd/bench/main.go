// Bench runs the benchmark suite. It prints each figure beside its limit, and compares
// models with bt and vectorbt.
//
//	make bench
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"ballast/cmd/internal/suite"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	command := suite.Command("bin/ballast")
	command.SilenceUsage, command.SilenceErrors = true, true
	err := command.ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
