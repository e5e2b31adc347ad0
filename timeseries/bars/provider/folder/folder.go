package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ballast/timeseries/bars/provider"
)

// Name is the provider's name.
const Name = "folder"

// Folder reads bars from a folder.
type Folder struct{ dir string }

var _ provider.Provider = (*Folder)(nil)

// New returns the provider for an existing folder.
func New(dir string) (*Folder, error) {
	if dir == "" {
		return nil, errors.New("the provider folder needs a folder; set --provider-folder")
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--provider-folder %s is not a folder", dir)
	}
	return &Folder{dir: dir}, nil
}

// Name implements provider.Provider.
func (*Folder) Name() string { return Name }

// endings are the endings of a symbol's file, the preferred first.
var endings = []string{".parquet", ".csv.gz", ".csv"}

// plain matches symbols that are safe as file names.
var plain = regexp.MustCompile(`^[A-Z0-9^=&+_-][A-Z0-9.^=&+_-]{0,39}$`)

// Bars implements provider.Provider. The answer is the symbol's whole file.
func (f *Folder) Bars(_ context.Context, r provider.Request) (*provider.Answer, error) {
	if !plain.MatchString(r.Symbol) {
		return nil, provider.NoSymbol(Name, r.Symbol)
	}
	for _, name := range []string{r.Symbol, strings.ToLower(r.Symbol)} {
		for _, ending := range endings {
			path := filepath.Join(f.dir, name+ending)
			info, err := os.Stat(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return nil, &provider.Error{Provider: Name, Kind: provider.Unavailable, Detail: name + ending + " cannot be read"}
			case info.Mode().IsRegular():
				return &provider.Answer{File: path}, nil
			}
		}
	}
	return nil, &provider.Error{Provider: Name, Kind: provider.Unknown, Detail: "has no file for " + r.Symbol}
}
