package main

import (
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"ballast/account"
)

// remote is a running service, as the commands that call one are told of it.
type remote struct {
	url, key string
}

// flags adds the flags, which the environment sets as well: BALLAST_URL and BALLAST_KEY.
func (r *remote) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.url, "url", "", "address of the running service (BALLAST_URL)")
	cmd.Flags().StringVar(&r.key, "key", "", "API key; better given as BALLAST_KEY, since others can see a command line")
}

// resolve returns the service's origin and a key.
func (r *remote) resolve() (origin, key string, err error) {
	if r.url == "" || r.key == "" {
		return "", "", usage("name a running service with BALLAST_URL, such as http://127.0.0.1:8080, and a key with BALLAST_KEY; ballast keys create makes one")
	}
	u, err := url.Parse(r.url)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", "", usage("--url %q: accepted are addresses such as http://127.0.0.1:8080", r.url)
	}
	if !account.WellFormed(r.key) {
		return "", "", usage("--key: a key is bk_ and 43 characters")
	}
	return strings.TrimRight(r.url, "/"), r.key, nil
}
