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

// sources parses every Go file of the module and calls visit with its path.
func sources(t *testing.T, visit func(path string, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		name, err := filepath.Rel(root, path)
		visit(filepath.ToSlash(name), file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Fatalf("%d files were read, which cannot be all", files)
	}
}

// TestOnlyTheInterfaceDescribesItself checks that types outside package api have no
// tags for the OpenAPI document. Package api describes them.
func TestOnlyTheInterfaceDescribesItself(t *testing.T) {
	t.Parallel()
	sources(t, func(path string, file *ast.File) {
		if strings.HasPrefix(path, "api/") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			f, ok := n.(*ast.Field)
			if !ok || f.Tag == nil {
				return true
			}
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
	})
}

// mostMethods is the largest number of methods of an interface. Code that needs more
// takes several interfaces, each for one use.
const mostMethods = 5

func TestInterfacesAreSmall(t *testing.T) {
	t.Parallel()
	sources(t, func(path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if i, ok := spec.Type.(*ast.InterfaceType); ok && i.Methods.NumFields() > mostMethods {
				t.Errorf("%s: the interface %s has %d methods, more than %d; split it by use", path, spec.Name, i.Methods.NumFields(), mostMethods)
			}
			return true
		})
	})
}
