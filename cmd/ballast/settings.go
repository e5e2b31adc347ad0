package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// configure sets each flag that is not on the command line from the environment
// (BALLAST_ and the flag's name in capitals) or else from the configuration file
// (--config or BALLAST_CONFIG, YAML with flag names as keys).
func configure(cmd *cobra.Command) error {
	file, err := configFile(cmd)
	if err != nil {
		return err
	}
	var problems []error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Name == "help" || f.Name == "config" {
			delete(file, f.Name)
			return
		}
		name := "BALLAST_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, source := os.Getenv(name), name
		if inFile, ok := file[f.Name]; ok && value == "" {
			value, source = settingText(inFile), "the configuration file"
		}
		delete(file, f.Name)
		if value == "" {
			return
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			problems = append(problems, fmt.Errorf("%s from %s: %w", f.Name, source, err))
		}
	})
	for key := range file {
		if !knownSetting(cmd.Root(), key) {
			problems = append(problems, fmt.Errorf("unknown setting %q in the configuration file; ballast serve --help lists the settings", key))
		}
	}
	return errors.Join(problems...)
}

// settingText writes a value of the configuration file as flags expect it: lists and
// maps separated by commas.
func settingText(v any) string {
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			parts = append(parts, fmt.Sprint(e))
		}
	case map[string]any:
		for k, e := range v {
			parts = append(parts, fmt.Sprintf("%s=%v", k, e))
		}
		sort.Strings(parts)
	default:
		return fmt.Sprint(v)
	}
	return strings.Join(parts, ",")
}

func configFile(cmd *cobra.Command) (map[string]any, error) {
	path, _ := cmd.Flags().GetString("config")
	if path == "" {
		path = os.Getenv("BALLAST_CONFIG")
	}
	if path == "" {
		return map[string]any{}, nil
	}
	text, err := os.ReadFile(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the configuration file %s does not exist", path)
	}
	if err != nil {
		return nil, err
	}
	settings := map[string]any{}
	if err := yaml.Unmarshal(text, &settings); err != nil {
		return nil, fmt.Errorf("the configuration file %s is not YAML of the form `data-dir: /var/lib/ballast`: %w", path, err)
	}
	return settings, nil
}

// knownSetting reports whether any command has the flag, because one file serves all
// commands.
func knownSetting(root *cobra.Command, name string) bool {
	for _, c := range root.Commands() {
		if c.Flags().Lookup(name) != nil || knownSetting(c, name) {
			return true
		}
	}
	return false
}
