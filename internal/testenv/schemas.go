package testenv

// CloseSchemas changes a decoded OpenAPI document so that its components refuse fields
// that they do not name. The schemas of the published document allow further fields,
// because later versions may add some; but today's fields must all be in the document.
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
