package service

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/account"
)

func TestBillingPolicy(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "plans.yaml")
	if err := os.WriteFile(file, []byte("plans: {free: {concurrency: 7}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Default().Billing
	c.Plans = file
	p, err := c.policy()
	if err != nil || !p.Metered || p.Plans[account.PlanFree].Concurrency != 7 {
		t.Errorf("%+v, %v", p, err)
	}
	c.Plans = ""
	if p, err := c.policy(); err != nil || p.Metered {
		t.Errorf("without settings: %+v, %v", p, err)
	}
	c.Metering = meteringOn
	if p, err := c.policy(); err != nil || !p.Metered {
		t.Errorf("%+v, %v", p, err)
	}
	c.Plans, c.Metering = file, meteringOff
	if p, err := c.policy(); err != nil || p.Metered {
		t.Errorf("%+v, %v", p, err)
	}
	if err := os.WriteFile(file, []byte("plans: {gold: {}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for part, change := range map[string]func(*BillingConfig){
		"plans.gold":          func(*BillingConfig) {},
		"no such file":        func(c *BillingConfig) { c.Plans = file + "x" },
		"accepted are on and": func(c *BillingConfig) { c.Metering = "maybe" },
	} {
		bad := c
		change(&bad)
		if _, err := bad.policy(); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", part, err)
		}
	}
}
