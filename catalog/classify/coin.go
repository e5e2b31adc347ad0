package classify

import "strings"

// readCoin reads a pair of a coin and a currency. Coins are alternatives, as are funds of
// coins.
func (c *reading) readCoin() {
	c.out.AssetClass = "alternatives"
	c.ground("asset_class", "alternatives", "kind", "crypto", true)
	coin := c.name
	if n := len(coin.words); n > 1 {
		coin.words = coin.words[:n-1] // the last word is the currency of the pair
	}
	all := hit{hi: len(coin.words)}
	c.out.Wrapper = "coin"
	if h, ok := known().coins.whole(&coin); ok {
		for _, v := range h.values {
			if wrapper, found := strings.CutPrefix(v, "wrapper:"); found {
				c.out.Wrapper = wrapper
				continue
			}
			c.tag(v, &coin, h, true)
		}
	}
	c.ground("wrapper", c.out.Wrapper, "kind", "crypto", true)
	c.tag("theme:crypto", &coin, all, true)
}
