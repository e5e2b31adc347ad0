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

// metered reports whether work is charged for: as it is set, else where the
// operator has given plans and prices.
func (c Config) metered() (bool, error) {
	switch c.Metering {
	case meteringOn:
		return true, nil
	case meteringOff:
		return false, nil
	case "":
		return c.Plans != "", nil
	}
	return false, usage("--metering %s: accepted are on and off; without it a service is metered where --plans names a file", c.Metering)
}

// billingPolicy is the built-in policy, with what the file of plans changes of it.
func billingPolicy(c Config) (billing.Policy, error) {
	p := billing.Default()
	metered, err := c.metered()
	if err != nil {
		return p, err
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
	p.Metered = metered
	return p, nil
}
