package console

import (
	"encoding/json"
	"fmt"

	"ballast/script/harness"
)

// completions are the names that the editor completes, as JSON: what scripts import from
// the harness.
func completions() (string, error) {
	encoded, err := json.Marshal(harness.Names())
	if err != nil {
		return "", fmt.Errorf("encode the names of the harness: %w", err)
	}
	return string(encoded), nil
}
