package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ballast/internal/fault"
)

func TestValidate(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	if got := h.send(t, "POST", "/v1/models/validate", `{"script":"def decide(ctx): ..."}`).object(t); got["valid"] != true || got["inputs_schema"] == nil {
		t.Errorf("%v", got)
	}
	got := h.send(t, "POST", "/v1/models/validate", `{"script":"x"}`)
	if got.Code != http.StatusOK || got.object(t)["valid"] != false {
		t.Errorf("%d %s", got.Code, got.body)
	}
}

func TestValidatePrompt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got := h.send(t, "POST", "/v1/models/validate", `{"prompt":"SPY"}`).object(t)
	if got["valid"] != true || got["kind"] != "model" || got["description"] != "Holds SPY." || got["script"] == nil || got["inputs_schema"] == nil {
		t.Errorf("%v", got)
	}
	a := h.send(t, "POST", "/v1/models/validate", `{"prompt":"SPY by a horoscope"}`)
	errors, _ := a.object(t)["errors"].([]any)
	first, _ := errors[0].(map[string]any)
	if a.Code != http.StatusOK || a.object(t)["valid"] != false || first["offset"] != 9.0 || first["length"] != 9.0 || first["nearest"] != "h" || first["line"] != nil {
		t.Errorf("%d %s", a.Code, a.body)
	}
	h.mu.Lock()
	schema, err := h.schemas.Compile(documentURL + "#/components/schemas/ValidateRequest")
	h.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`{"prompt":"SPY"}`, `{"prompt":"SPY","script":null}`, `{"script":"x"}`, `{"prompt":"","script":"x"}`} {
		value, _ := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if a := h.send(t, "POST", "/v1/models/validate", body); a.Code != http.StatusOK || schema.Validate(value) != nil {
			t.Errorf("%s: %d %s, by the document %v", body, a.Code, a.body, schema.Validate(value))
		}
	}
	for _, body := range []string{`{}`, `{"prompt":" "}`, `{"prompt":"","script":null}`, `{"prompt":"SPY","script":"x"}`} {
		value, _ := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if schema.Validate(value) == nil {
			t.Errorf("%s fits the document", body)
		}
		if a := h.send(t, "POST", "/v1/models/validate", body); a.Code != http.StatusUnprocessableEntity || a.refusal(t).Type != string(fault.InvalidBody) {
			t.Errorf("%s: %d %s", body, a.Code, a.body)
		}
	}
}

func TestInvalidScriptsAreRefusedWithAllProblems(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.models.fail = fault.New(fault.InvalidScript, "The script breaks the contract in 1 place(s).").
		With(fault.Detail{Location: "body.script", Message: "SPYY is unknown", Rule: "universe", Line: 3, Column: 9, Suggestion: "SPY"})
	a := h.send(t, "POST", "/v1/models", `{"script":"x"}`)
	if e := a.refusal(t); a.Code != http.StatusUnprocessableEntity || e.Details[0].Rule != "universe" || e.Details[0].Suggestion != "SPY" {
		t.Errorf("%d %s", a.Code, a.body)
	}
}
