package classify

import (
	"slices"
	"strings"
)

// classOrder is the order of precedence if a name has words of several classes.
var classOrder = []string{"alternatives", "asset_allocation", "fixed_income", "commodity", "currency", "equity"}

// readClass finds the asset class: from a category that implies one, else from the name,
// else from a summary or a loose category that nothing contradicts.
func (c *reading) readClass() {
	if c.classOfCategory("class:") || c.retires() || c.catalogBeatsName() || c.classOfName() {
		return
	}
	class, at := c.first("class")
	one := c.each("class") == 1
	weak := c.weakClass()
	switch {
	case class != "" && one && (weak == "" || weak == class):
		c.setClass(class, &c.summary, at, true)
	case class != "" && class == weak:
		c.setClass(class, &c.summary, at, true)
	case class == "" && c.out.Country != "" && weak == "equity":
		c.classOfCategory("weak:")
	case class == "" && weak != "" && c.agreeing(weak):
		c.classOfCategory("weak:")
	}
}

// retires reports whether the name has a retirement year.
func (c *reading) retires() bool {
	if !c.mentions("retirement", "target", "lifepath", "freedom", "lifecycle", "lifetime", "retiresmart") {
		return false
	}
	for i := range c.name.words {
		if year(c.name.at(i)) && !c.mentions("bond", "bonds", "treasury", "corporate", "credit", "municipal", "maturity") {
			c.setClass("asset_allocation", &c.name, hit{lo: i, hi: i + 1}, true)
			return true
		}
	}
	return false
}

// year reports whether the word is a year from 2000 to 2079.
func year(w string) bool {
	return len(w) == 4 && w[0] == '2' && w[1] == '0' && w[2] >= '0' && w[2] <= '7' && digit(w[3])
}

// catalogBeatsName applies if group and category agree on bonds and the name has only
// words that bond funds also use ("Quality Income", "Growth" for a share class), and to
// gold funds that hold shares.
func (c *reading) catalogBeatsName() bool {
	class := c.strongest()
	switch {
	case class == "equity" && c.agreeing("fixed_income") && !c.mentions("equity", "equities", "stock", "stocks", "aktien", "msci", "stoxx", "s&p", "russell", "nasdaq", "ftse"):
		return c.classOfCategory("weak:")
	case class == "commodity" && c.mentions("equity", "equities", "stock", "stocks", "aktien", "producers", "companies", "miners"):
		at, _ := find(known().classes, &c.name)
		c.setClass("equity", &c.name, at, true)
		return true
	case class == "commodity" && c.out.Wrapper == "mutual_fund" && !c.mentions("bullion", "physical", "strategy", "commodity", "commodities", "futures"):
		return c.classOfCategory("weak:") || true // a gold fund may hold gold or mines
	}
	return false
}

// strongest returns the class of the name, or "" if it has no word for one.
func (c *reading) strongest() string {
	best := len(classOrder)
	known().classes.scan(&c.name, func(h hit) {
		if !c.withinBrand(h) {
			best = min(best, slices.Index(classOrder, h.values[0]))
		}
	})
	if best == len(classOrder) {
		return ""
	}
	return classOrder[best]
}

// grouped reports whether the source groups its categories, which marks the loose ones.
func (c *reading) grouped() bool { return len(c.group.words) > 0 }

// classOfCategory uses the class of the whole category or group.
func (c *reading) classOfCategory(kind string) bool {
	for _, t := range []*text{&c.category, &c.group} {
		h, ok := known().categories.whole(t)
		if !ok {
			continue
		}
		if kind == "class:" && c.nameBeatsCategory(h) {
			continue
		}
		for _, v := range h.values {
			class, found := strings.CutPrefix(v, kind)
			if !found && kind == "class:" {
				class, found = strings.CutPrefix(v, "solid:")
			}
			if found && (strings.HasPrefix(v, "class:")) == !c.grouped() {
				c.setClass(class, t, h, kind == "weak:")
				return true
			}
		}
	}
	return false
}

// nameBeatsCategory applies to categories that include funds of other classes: a VIX fund
// under inverse equity, bonds under outcomes, allocations under tactical.
func (c *reading) nameBeatsCategory(h hit) bool {
	switch c.category.span(0, len(c.category.words)) {
	case "trading--inverse equity", "trading--leveraged equity", "defined outcome", "derivative income", "equity hedged", "miscellaneous region", "large blend", "target maturity":
	case "digital assets", "commodities focused":
		return c.strongest() == "equity"
	default:
		return false
	}
	class := ""
	known().classes.scan(&c.name, func(n hit) {
		if class == "" && n.values[0] != "equity" && n.values[0] != "asset_allocation" {
			class = n.values[0]
		}
	})
	return class != "" && class != "fixed_income" || class == "fixed_income" && !c.nameHas("income") && h.hi > 0 && !c.classNamed("equity")
}

func (c *reading) classNamed(class string) bool {
	found := false
	known().classes.scan(&c.name, func(h hit) { found = found || h.values[0] == class })
	return found
}

// classOfName uses the first class of classOrder for which the name has words.
func (c *reading) classOfName() bool {
	best, at := len(classOrder), hit{}
	known().classes.scan(&c.name, func(h hit) {
		if c.withinBrand(h) {
			return
		}
		for i, class := range classOrder[:best] {
			if class == h.values[0] {
				best, at = i, h
			}
		}
	})
	if best == len(classOrder) {
		return false
	}
	c.setClass(classOrder[best], &c.name, at, classOrder[best] == "equity")
	return true
}

// weakClass returns the class that the loose categories of a catalog agree on.
func (c *reading) weakClass() string {
	class := ""
	for _, t := range []*text{&c.group, &c.category} {
		h, ok := known().categories.whole(t)
		if !ok {
			continue
		}
		for _, v := range h.values {
			w, found := strings.CutPrefix(v, "weak:")
			if found && class != "" && class != w {
				return ""
			}
			if found {
				class = w
			}
		}
	}
	return class
}

// agreeing reports whether both group and category give the class.
func (c *reading) agreeing(class string) bool {
	g, okG := known().categories.whole(&c.group)
	k, okC := known().categories.whole(&c.category)
	return okG && okC && len(g.values) > 0 && len(k.values) > 0 && g.values[0] == "weak:"+class && k.values[0] == "weak:"+class
}

func (c *reading) setClass(class string, t *text, h hit, derived bool) {
	c.out.AssetClass = class
	c.says("asset_class", class, t, h, derived)
}
