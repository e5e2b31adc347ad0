package api

import (
	"reflect"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// A description of a field that a type no longer has is an error, and so is one of
// a type that no answer holds.
func TestDescriptionsBelongToFields(t *testing.T) {
	t.Parallel()
	type answer struct {
		Renamed string `json:"renamed"`
	}
	r := huma.NewMapRegistry(schemaPrefix, schemaName)
	r.Schema(reflect.TypeFor[answer](), true, "answer")
	described := map[reflect.Type]map[string]property{reflect.TypeFor[answer](): {"former": {text: "what it was"}}}
	if err := describeProperties(r, described); err == nil || !strings.Contains(err.Error(), "former") {
		t.Errorf("a field that is gone: %v", err)
	}
	described = map[reflect.Type]map[string]property{reflect.TypeFor[property](): {}}
	if err := describeProperties(r, described); err == nil || !strings.Contains(err.Error(), "property") {
		t.Errorf("a type that no answer holds: %v", err)
	}
}
