package service

import (
	"os"
	"path/filepath"

	"ballast/billing"
)

// Values of --metering.
const (
	meteringOn  = "on"
	meteringOff = "off"
)

// metered reports whether work is charged for: as configured, or else if the operator
// has given plans and prices.
func (c BillingConfig) metered() (bool, error) {
	switch c.Metering {
	case meteringOn:
		return true, nil
	case meteringOff:
		return false, nil
	case "":
		return c.Plans != "", nil
	}
	return false, invalid("--metering %s: accepted are on and off; by default work is metered if --plans is set", c.Metering)
}

// policy returns the built-in policy with the changes from the file of plans.
func (c BillingConfig) policy() (billing.Policy, error) {
	p := billing.Default()
	metered, err := c.metered()
	if err != nil {
		return p, err
	}
	if c.Plans != "" {
		text, err := os.ReadFile(filepath.Clean(c.Plans))
		if err != nil {
			return p, invalid("read the file of --plans: %w", err)
		}
		if p, err = billing.Parse(text); err != nil {
			return p, invalid("--plans %s: %w", c.Plans, err)
		}
	}
	p.Metered = metered
	return p, nil
}
