package bench

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// validation measures the validation of a script of 200 lines over HTTP.
func validation(e *Env) Row {
	return Row{
		Name: "POST validate, a script of 200 lines", Key: "Validate",
		Bar: "p50 ≤ 2 ms", Limits: []Limit{{Figure: "p50", Most: 2}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			text := longScript(200)
			var verdict struct{ Valid bool }
			took, err := repeat(ctx, e.count(1000, 30), func() error {
				return s.client.read(ctx, http.MethodPost, "/v1/models/validate", map[string]string{"script": text}, &verdict)
			})
			if err != nil {
				return Result{}, err
			}
			if !verdict.Valid {
				return Result{}, fmt.Errorf("the script of %d lines is not valid", strings.Count(text, "\n"))
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("one client, %d times, members resolved against the catalog", len(took)),
			}, nil
		},
	}
}

// longScript is momentumScript, with helper functions until it has the given number of
// lines.
func longScript(lines int) string {
	text := momentumScript("Long", "LONG")
	for i := 0; ; i++ {
		helper := fmt.Sprintf(`

def helper_%d(scores, least):
    """Keeps the scores that are above the least, scaled by their sum."""
    kept = {s: v for s, v in scores.items() if v > least}
    total = sum([v for v in kept.values()])
    if total <= 0:
        return {}
    return {s: v / total for s, v in kept.items()}
`, i)
		if strings.Count(text, "\n")+strings.Count(helper, "\n") > lines {
			return text
		}
		text += helper
	}
}
