package lake

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog/hadoop"
	_ "github.com/apache/iceberg-go/io/gocloud/s3" // s3://
	"github.com/apache/iceberg-go/table"
)

// Prefix begins the keys of all objects of lakes.
const Prefix = "lake/"

// warehouse is the place of all accounts' tables, as other engines name it.
type warehouse struct {
	root  string // of the bucket: an absolute folder, or s3://BUCKET/PREFIX
	props iceberg.Properties
}

// warehouseOf parses the place of a bucket as columnar.OpenBucket does.
func warehouseOf(place string) (*warehouse, error) {
	u, err := url.Parse(place)
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", place, err)
	}
	switch u.Scheme {
	case "", "file":
		root := place
		if u.Scheme != "" {
			root = u.Path
		}
		if root, err = filepath.Abs(root); err != nil {
			return nil, err
		}
		return &warehouse{root: root}, nil
	case "s3":
		q := u.Query()
		props := iceberg.Properties{
			// On S3 the catalog cannot replace a file on condition that it is unchanged.
			// Publishers hold a lock of the database instead.
			"allow-unsafe-commits": "true",
		}
		for parameter, property := range map[string]string{"region": "s3.region", "endpoint": "s3.endpoint"} {
			if v := q.Get(parameter); v != "" {
				props[property] = v
			}
		}
		if q.Get("use_path_style") == "true" || q.Get("s3ForcePathStyle") == "true" {
			props["s3.force-virtual-addressing"] = "false"
		}
		return &warehouse{root: strings.TrimRight("s3://"+u.Host+"/"+q.Get("prefix"), "/"), props: props}, nil
	}
	return nil, fmt.Errorf("a lake needs a bucket that other engines can read: a folder, file:// or s3://, not %s://", u.Scheme)
}

// catalog opens the Iceberg catalog of the tables.
func (w *warehouse) catalog() (*hadoop.Catalog, error) {
	return hadoop.NewCatalog("ballast", w.file(Prefix), w.props)
}

// file returns the name of an object as other engines know it.
func (w *warehouse) file(key string) string { return w.root + "/" + strings.TrimRight(key, "/") }

// key returns the object's key for such a name, or "" if it is not in the bucket.
func (w *warehouse) key(file string) string {
	key, ok := strings.CutPrefix(strings.TrimPrefix(file, "file://"), w.root+"/")
	if !ok {
		return ""
	}
	return key
}

// folder returns the folder of a table's data files.
func folder(ident table.Identifier) string {
	return path.Join(append(append([]string{Prefix}, ident...), "data")...)
}
