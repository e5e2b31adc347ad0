package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/gorilla/mux"

	"ballast/api/web/chart"
)

//go:embed assets
var assetFiles embed.FS

// asset is a file that pages load.
type asset struct {
	media  string
	body   []byte
	packed func() ([]byte, error) // compressed with gzip when it is first asked for
}

// assets are the files by the last part of their addresses, which names their content,
// so that browsers may keep them for ever.
type assets struct {
	files  map[string]asset
	hashed map[string]string // by file name, the last part of the address
}

func readAssets() (assets, error) {
	a := assets{files: map[string]asset{}, hashed: map[string]string{}}
	entries, err := fs.ReadDir(assetFiles, "assets")
	if err != nil {
		return a, fmt.Errorf("list the files of the console: %w", err)
	}
	for _, entry := range entries {
		body, err := assetFiles.ReadFile(path.Join("assets", entry.Name()))
		if err != nil {
			return a, fmt.Errorf("read the console's file %s: %w", entry.Name(), err)
		}
		a.add(entry.Name(), body)
	}
	a.add("chart.css", []byte(chart.Style))
	return a, nil
}

func (a assets) add(file string, body []byte) {
	sum := sha256.Sum256(body)
	extension := path.Ext(file)
	name := strings.TrimSuffix(file, extension) + "." + hex.EncodeToString(sum[:8]) + extension
	a.files[name] = asset{mime.TypeByExtension(extension), body, sync.OnceValues(func() ([]byte, error) { return pack(body) })}
	a.hashed[file] = name
}

// address returns where pages load a file from.
func (a assets) address(name string) string { return Root + "/assets/" + a.hashed[name] }

// serveAsset serves a file to anybody: it holds nothing private.
func (c *Console) serveAsset(w http.ResponseWriter, r *http.Request) {
	file, ok := c.assets.files[mux.Vars(r)["name"]]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", file.media)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Vary", "Accept-Encoding")
	body := file.body
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		if packed, err := file.packed(); err == nil {
			w.Header().Set("Content-Encoding", "gzip")
			body = packed
		}
	}
	_, _ = w.Write(body)
}

func pack(body []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}
