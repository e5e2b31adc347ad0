package download

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed runtime/*.py
var files embed.FS

// module is one file of the runtime.
type module struct {
	name string
	text string
}

// importing matches the imports at the top of a runtime file. Group 1 is the module's
// name.
var importing = regexp.MustCompile(`(?m)^from ([a-z_]+) import `)

// modules returns the files of the runtime that main imports, directly or not, and
// main itself. Each comes after those that it imports. Imports between them use the
// names of the modules in the download.
func modules(main string) ([]module, error) {
	entries, err := files.ReadDir("runtime")
	if err != nil {
		return nil, err
	}
	texts := make(map[string]string, len(entries))
	for _, e := range entries {
		text, err := files.ReadFile("runtime/" + e.Name())
		if err != nil {
			return nil, err
		}
		texts[strings.TrimSuffix(e.Name(), ".py")] = string(text)
	}
	var ordered []module
	state := make(map[string]int, len(texts)) // 1 in progress, 2 done
	var add func(name string) error
	add = func(name string) error {
		text, known := texts[name]
		switch {
		case !known || state[name] == 2: // a module of the standard library, or already added
			return nil
		case state[name] == 1:
			return fmt.Errorf("module %s of the runtime imports itself", name)
		}
		state[name] = 1
		for _, m := range importing.FindAllStringSubmatch(text, -1) {
			if err := add(m[1]); err != nil {
				return err
			}
		}
		state[name] = 2
		ordered = append(ordered, module{name, importing.ReplaceAllStringFunc(text, func(statement string) string {
			if from := importing.FindStringSubmatch(statement)[1]; texts[from] != "" {
				return "from " + packageName + "." + from + " import "
			}
			return statement
		})})
		return nil
	}
	if err := add(main); err != nil {
		return nil, err
	}
	return ordered, nil
}
