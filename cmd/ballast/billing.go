package main

import (
	"os"
	"path/filepath"

	"ballast/billing"
)

// The values of --metering.
const (
	meteringOn  = "on"
	meteringOff = "off"
)

// billingPolicy is the built-in policy, with what the file of plans changes of it.
func billingPolicy(c Config) (billing.Policy, error) {
	p := billing.Default()
	if c.Metering != meteringOn && c.Metering != meteringOff {
		return p, usage("metering %q: accepted are on and off", c.Metering)
	}
	if c.Plans != "" {
		text, err := os.ReadFile(filepath.Clean(c.Plans))
		if err != nil {
			return p, usage("read the plans: %w", err)
		}
		if p, err = billing.Parse(text); err != nil {
			return p, usage("the plans of %s: %w", c.Plans, err)
		}
	}
	p.Metered = c.Metering == meteringOn
	return p, nil
}
