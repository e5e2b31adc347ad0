package console

import (
	"encoding/json"
	"fmt"
	"net/http"

	"ballast/catalog"
	"ballast/internal/fault"
)

// mostSymbols is how many symbols the editor offers at a time.
const mostSymbols = 12

// symbol is an asset as the editor offers it.
type symbol struct {
	Symbol string `json:"symbol"`
	Name   string `json:"name"`
}

// completeSymbol lists, as JSON, the assets that a text may mean.
func (c *Console) completeSymbol(w http.ResponseWriter, plain *http.Request) {
	symbols, err := c.symbols(plain)
	if err != nil {
		e := c.Host.Explain(plain, err)
		http.Error(w, e.Message, e.Status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(symbols)
}

func (c *Console) symbols(r *http.Request) ([]byte, error) {
	who, err := c.Host.Admit(r)
	if err != nil {
		return nil, err
	}
	if who == nil {
		return nil, fault.New(fault.Unauthenticated, "The session has ended. Sign in again.")
	}
	query := r.URL.Query().Get("q")
	if len(query) > mostQuery {
		return nil, fault.New(fault.InvalidParameter, "The search has more than %d bytes. Search for less.", mostQuery)
	}
	page, err := c.Catalog.Assets(r.Context(), catalog.Filter{Query: query, Ascending: true, Limit: mostSymbols})
	if err != nil {
		return nil, err
	}
	list := make([]symbol, len(page.Assets))
	for i, a := range page.Assets {
		list[i] = symbol{a.Symbol, a.Name}
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encode symbols: %w", err)
	}
	return encoded, nil
}
