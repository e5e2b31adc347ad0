package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ballast/internal/nearest"
	"ballast/optimize/optimizer"
	"ballast/script"
)

// optimizerFile is an optimizer as the service returns it. What the service sets is
// ignored.
type optimizerFile struct {
	Name string `json:"name"`
	optimizer.Definition
	ID        json.RawMessage `json:"id"`
	Version   json.RawMessage `json:"version"`
	CreatedAt json.RawMessage `json:"created_at"`
	UpdatedAt json.RawMessage `json:"updated_at"`
}

// optimizersFor returns the definitions of the optimizers that a script names, by name.
// path is a file, or a folder whose .json files are read.
func optimizersFor(p *script.Script, path string) (map[string]json.RawMessage, error) {
	if path == "" {
		if len(p.Optimizers) > 0 {
			return nil, usage("the script uses the optimizer %s; give --optimizers with the file that defines it", p.Optimizers[0])
		}
		return nil, nil
	}
	files := []string{path}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.json")); err != nil {
			return nil, err
		}
	}
	known := map[string]optimizerFile{}
	for _, file := range files {
		if err := readOptimizers(file, known); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	definitions := map[string]json.RawMessage{}
	for _, name := range p.Optimizers {
		o, ok := known[strings.ToUpper(name)]
		if !ok {
			message := fmt.Sprintf("the script uses the optimizer %s, which --optimizers does not define", name)
			if near := nearest.Match(name, slices.Sorted(maps.Keys(known))); near != "" {
				message += "; did you mean " + known[near].Name + "?"
			}
			return nil, usage("%s", message)
		}
		if definitions[o.Name], err = json.Marshal(o.Definition); err != nil {
			return nil, err
		}
	}
	return definitions, nil
}

// readOptimizers adds the optimizers of a file: one object, a list of them, or the answer
// of GET /v1/optimizers.
func readOptimizers(file string, known map[string]optimizerFile) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var page struct {
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(text, &page) == nil && page.Data != nil {
		text = page.Data
	}
	if text = bytes.TrimSpace(text); !bytes.HasPrefix(text, []byte("[")) {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	var list []optimizerFile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil {
		return fmt.Errorf("this is neither an optimizer nor a list of them: %w", err)
	}
	for _, o := range list {
		if err := o.check(); err != nil {
			return err
		}
		key := strings.ToUpper(o.Name)
		if _, twice := known[key]; twice {
			return fmt.Errorf("the optimizer %s is defined twice", o.Name)
		}
		known[key] = o
	}
	return nil
}

// check fills in defaults and refuses what the service would refuse.
func (o *optimizerFile) check() error {
	if o.Name == "" {
		return fmt.Errorf("an optimizer has no name")
	}
	if o.Objective == "" && o.Script != "" {
		o.Objective = optimizer.Scripted
	}
	if details := o.Check(); len(details) > 0 {
		d := details[0]
		message := fmt.Sprintf("the optimizer %s: %s %s", o.Name, d.Field, d.Message)
		if len(d.Accepted) > 0 {
			message += "; accepted: " + strings.Join(d.Accepted, ", ")
		}
		return fmt.Errorf("%s", message)
	}
	if tags := o.Tags(); len(tags) > 0 {
		return fmt.Errorf("the optimizer %s has a group of the tag %s, which only the service's catalog knows; name the members instead", o.Name, tags[0])
	}
	if o.Objective != optimizer.Scripted {
		return nil
	}
	p, problems := script.Kinds{script.Optimizer}.Check(o.Script, nil)
	if len(problems) > 0 {
		return fmt.Errorf("the script of the optimizer %s, line %d: %s", o.Name, problems[0].Line, problems[0].Message)
	}
	if _, details := p.Bind(o.Inputs); len(details) > 0 {
		return fmt.Errorf("the optimizer %s: %s %s", o.Name, details[0].Field, details[0].Message)
	}
	return nil
}
