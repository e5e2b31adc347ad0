package classify

import "strings"

// classOrder is the order in which classes of one name count.
var classOrder = []string{"alternatives", "asset_allocation", "fixed_income", "commodity", "currency", "equity"}

// readClass reads the asset class: from a category that means one, else from the
// name, else from a summary or a loose category that nothing contradicts.
func (c *reading) readClass() {
	if c.classOfCategory("class:") || c.classOfName() {
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

// grouped tells whether the source has groups of categories, which marks the loose
// ones.
func (c *reading) grouped() bool { return len(c.group.words) > 0 }

// classOfCategory takes the class of the whole category or group.
func (c *reading) classOfCategory(kind string) bool {
	for _, t := range []*text{&c.category, &c.group} {
		h, ok := categoryTable.whole(t)
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

// nameBeatsCategory is for categories that hold more than their class: a VIX
// fund among inverse equity, bonds among outcomes, allocations among tactical.
func (c *reading) nameBeatsCategory(h hit) bool {
	switch c.category.span(0, len(c.category.words)) {
	case "trading--inverse equity", "trading--leveraged equity", "defined outcome", "derivative income", "equity hedged", "miscellaneous region", "large blend", "target maturity":
	default:
		return false
	}
	class := ""
	classTable.scan(&c.name, func(n hit) {
		if class == "" && n.values[0] != "equity" && n.values[0] != "asset_allocation" {
			class = n.values[0]
		}
	})
	return class != "" && class != "fixed_income" || class == "fixed_income" && !c.nameHas("income") && h.hi > 0 && !c.classNamed("equity")
}

func (c *reading) classNamed(class string) bool {
	found := false
	classTable.scan(&c.name, func(h hit) { found = found || h.values[0] == class })
	return found
}

// classOfName takes the first class of classOrder that the name has words of.
func (c *reading) classOfName() bool {
	best, at := len(classOrder), hit{}
	classTable.scan(&c.name, func(h hit) {
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

// weakClass is what the loose categories of a catalog say, where they agree.
func (c *reading) weakClass() string {
	class := ""
	for _, t := range []*text{&c.group, &c.category} {
		h, ok := categoryTable.whole(t)
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

// agreeing tells whether both group and category say the class.
func (c *reading) agreeing(class string) bool {
	g, okG := categoryTable.whole(&c.group)
	k, okC := categoryTable.whole(&c.category)
	return okG && okC && len(g.values) > 0 && len(k.values) > 0 && g.values[0] == "weak:"+class && k.values[0] == "weak:"+class
}

func (c *reading) setClass(class string, t *text, h hit, derived bool) {
	c.out.AssetClass = class
	c.says("asset_class", class, t, h, derived)
}
