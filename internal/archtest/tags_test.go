package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// TestOnlyTheInterfaceDescribesItself holds that types outside package api carry no
// tags of the OpenAPI document. What the document says of them is in package api.
func TestOnlyTheInterfaceDescribesItself(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	fields := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path == filepath.Join(root, "api") || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			f, ok := n.(*ast.Field)
			if !ok || f.Tag == nil {
				return true
			}
			fields++
			text, err := strconv.Unquote(f.Tag.Value)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			for _, key := range []string{"doc", "enum", "format", "example", "minimum", "maximum", "minLength", "maxLength", "pattern", "nullable"} {
				if _, found := reflect.StructTag(text).Lookup(key); found {
					t.Errorf("%s: the tag %s of a field describes it for the OpenAPI document; describe it in api/schema_properties.go", path, key)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if fields < 50 {
		t.Errorf("%d fields with tags were read, which cannot be all", fields)
	}
}
