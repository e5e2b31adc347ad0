package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ballast/internal/fault"
)

// Mapping describes how to read a file with other columns.
type Mapping struct {
	Type    string                       `yaml:"type"`    // the type of the rows, if no column gives it
	Columns map[string]*string           `yaml:"columns"` // column by field; null if the field is not read
	Values  map[string]map[string]string `yaml:"values"`  // by field: what the strings in its column mean
}

// ReadMapping reads a mapping file. A malformed file is fault.InvalidBody.
func ReadMapping(path string) (*Mapping, error) {
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, fault.New(fault.InvalidBody, "the mapping file %s cannot be read: %v", path, errors.Unwrap(err)).Wrap(err)
	}
	return ParseMapping(filepath.Base(path), text)
}

// ParseMapping parses a mapping file.
func ParseMapping(file string, text []byte) (*Mapping, error) {
	var m Mapping
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&m); err != nil && !errors.Is(err, io.EOF) {
		return nil, fault.New(fault.InvalidBody, "the mapping file %s is not valid (accepted are type, columns and values): %s",
			file, strings.TrimPrefix(err.Error(), "yaml: ")).Wrap(err)
	}
	fields := fieldNames()
	for _, section := range []struct {
		name string
		keys []string
	}{{"columns", keysOf(m.Columns)}, {"values", keysOf(m.Values)}} {
		for _, field := range section.keys {
			if !slices.Contains(fields, field) {
				return nil, fault.New(fault.InvalidBody, "the mapping file %s, %s: unknown field %q%s; accepted are %s",
					file, section.name, field, nearestOf(field, fields), strings.Join(fields, ", "))
			}
		}
	}
	if m.Type != "" && !slices.Contains(Types, m.Type) {
		return nil, fault.New(fault.InvalidBody, "the mapping file %s: unknown type %q; accepted are %s%s", file, m.Type, strings.Join(Types, ", "), nearestOf(m.Type, Types))
	}
	return &m, nil
}

// place overrides detected columns with the mapped ones.
func (m *Mapping) place(c *columns, file string, position map[string]int) error {
	for _, field := range keysOf(m.Columns) {
		column := m.Columns[field]
		if column == nil {
			delete(c.at, field)
			continue
		}
		i, ok := position[columnKey(*column)]
		if !ok {
			return fault.New(fault.InvalidBody, "the mapping reads %s from the column %q, which %s does not have%s; it has %s",
				field, *column, file, nearestOf(*column, c.names), strings.Join(c.names, ", "))
		}
		c.at[field] = i
	}
	for _, field := range keysOf(m.Values) {
		if _, ok := c.at[field]; !ok {
			return fault.New(fault.InvalidBody, "the mapping has values for %s, but no column of %s is read for it; name the column under columns", field, file)
		}
	}
	return nil
}

// keysOf returns the keys of m, sorted.
func keysOf[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, fmt.Sprint(k))
	}
	slices.Sort(keys)
	return keys
}
