package testenv

// CloseSchemas has the components of a decoded OpenAPI document refuse fields that
// they do not name. Answers may come to have further fields, which their schemas
// allow; those of today have to be in the document.
func CloseSchemas(document any) {
	components, _ := document.(map[string]any)["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	for _, s := range schemas {
		schema, _ := s.(map[string]any)
		if _, told := schema["additionalProperties"]; !told && schema["properties"] != nil {
			schema["additionalProperties"] = false
		}
	}
}
