package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ballast/export"
	"ballast/service"
	"ballast/storage/columnar"
)

// exportTarget is where an export goes.
type exportTarget struct {
	place  string // address of the bucket, or a local folder if it has no scheme
	key    string // key of the object, or prefix of the parts
	by     export.Partition
	format export.Format
	shown  string // as it is shown to people
}

// target reads --out, --format and --partition.
func (e *exporting) target(t export.Table) (*exportTarget, error) {
	to := &exportTarget{by: export.Partition(e.partition), format: export.Format(e.format), shown: e.out}
	if to.by != "" && !slices.Contains(export.Partitions, to.by) {
		return nil, usage("--partition %q: accepted are %s", to.by, strings.Join(texts(export.Partitions), " and "))
	}
	if to.by != "" && (t == export.Assets || t == export.Runs || slices.Contains(export.Answers, t) || to.by == export.BySymbol && t != export.Bars) {
		return nil, usage("%s cannot be divided by %s", t, to.by)
	}
	where, isFolder := e.out, strings.HasSuffix(e.out, "/") || to.by != ""
	if strings.Contains(e.out, "://") {
		u, err := url.Parse(e.out)
		if err != nil {
			return nil, usage("--out: %w", err)
		}
		switch {
		case u.Scheme == "file" && u.Host != "" && u.Host != "localhost":
			return nil, usage("--out %s: a file URL has three slashes: file:///path", e.out)
		case u.Scheme == "file":
			where = u.Path
		case u.Scheme != "s3":
			return nil, usage("--out %s: unknown scheme %q; accepted are a path, file:// and s3://", u.Redacted(), u.Scheme)
		default:
			to.key = strings.Trim(u.Path, "/")
			isFolder = isFolder || to.key == "" || strings.HasSuffix(u.Path, "/")
			u.Path = ""
			to.place = u.String()
			where = to.key
		}
	}
	if info, err := os.Stat(where); to.place == "" && err == nil && info.IsDir() {
		isFolder = true
	}
	name := where
	if isFolder {
		name = "" // a folder's name does not say the format
	}
	if err := to.setFormat(name); err != nil {
		return nil, err
	}
	name = ""
	if isFolder && to.by == "" {
		name = string(t) + to.format.Extension()
	}
	switch {
	case to.place != "":
		to.key = path.Join(to.key, name)
	case to.by != "":
		to.place = filepath.Clean(where)
	default:
		file := filepath.Join(where, name)
		to.place, to.key = filepath.Dir(file), filepath.Base(file)
	}
	return to, nil
}

// setFormat takes the format from a file's name unless a flag gives it.
func (to *exportTarget) setFormat(name string) error {
	if to.format == "" {
		switch ending := strings.ToLower(filepath.Ext(name)); ending {
		case "", ".parquet":
			to.format = export.Parquet
		case ".csv":
			to.format = export.CSV
		case ".arrow", ".arrows":
			to.format = export.Arrow
		default:
			return usage("--out %s: tables cannot be written as %s; end the name in .parquet, .arrow or .csv, or give the format with --format", name, ending)
		}
	}
	if !slices.Contains(export.Formats, to.format) {
		return usage("--format %q: accepted are %s", to.format, strings.Join(texts(export.Formats), ", "))
	}
	return nil
}

// save writes the rows and returns the number of parts, 0 if there is a single file.
func (to *exportTarget) save(ctx context.Context, c service.Config, rows *export.Rows) (parts int, err error) {
	if to.by != "" && !strings.Contains(to.place, "://") {
		return to.saveFolder(ctx, rows)
	}
	bucket, err := columnar.OpenBucket(ctx, to.place, columnar.BucketOptions{CacheDir: filepath.Join(c.Storage.DataDir, "cache")})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()
	if to.by == "" {
		return 0, export.Save(ctx, bucket, to.key, rows, to.format)
	}
	prefix := to.key
	if prefix != "" {
		prefix += "/"
	}
	for _, err := range bucket.List(ctx, prefix) {
		if err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("%s already contains objects; name an empty place, or delete them first", to.shown)
	}
	return export.SavePartitioned(ctx, bucket, to.key, rows, to.format, to.by)
}

// saveFolder writes the parts into a temporary folder next to the requested one, and
// renames it when it is complete.
func (to *exportTarget) saveFolder(ctx context.Context, rows *export.Rows) (parts int, err error) {
	if found, err := os.ReadDir(to.place); err == nil && len(found) > 0 {
		return 0, fmt.Errorf("%s is not empty; name another folder, or delete it first", to.place)
	}
	above := filepath.Dir(to.place)
	if err := os.MkdirAll(above, 0o750); err != nil {
		return 0, err
	}
	temporary, err := os.MkdirTemp(above, ".tmp-"+filepath.Base(to.place)+"-")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temporary))
		}
	}()
	bucket, err := columnar.OpenBucket(ctx, temporary, columnar.BucketOptions{})
	if err != nil {
		return 0, err
	}
	parts, err = export.SavePartitioned(ctx, bucket, "", rows, to.format, to.by)
	if err := errors.Join(err, bucket.Close()); err != nil {
		return 0, err
	}
	if err := os.Chmod(temporary, 0o750); err != nil { //nolint:gosec // a folder is for those who may enter it
		return 0, err
	}
	if err := os.Rename(temporary, to.place); err != nil {
		return 0, err
	}
	folder, err := os.Open(above) //nolint:gosec // the caller's own folder
	if err != nil {
		return 0, err
	}
	return parts, errors.Join(folder.Sync(), folder.Close())
}
