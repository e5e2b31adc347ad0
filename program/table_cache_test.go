package program

import (
	"fmt"
	"testing"
)

func TestTableCacheStaysWithinItsBytes(t *testing.T) {
	t.Parallel()
	table := func(rows int) *daily { return &daily{returns: make([]float64, rows)} }
	c, err := newTableCache(1000)
	if err != nil {
		t.Fatal(err)
	}
	c.add("large", false, table(1000))
	if _, ok := c.get("large", false); ok {
		t.Error("a table larger than the cache was kept")
	}
	for i := range 20 {
		c.add(fmt.Sprint(i), false, table(25)) // 200 bytes
		c.add(fmt.Sprint(i), false, table(25))
		if c.bytes > c.limit || c.bytes != int64(c.tables.Len())*200 {
			t.Fatalf("after table %d: %d bytes in %d tables", i, c.bytes, c.tables.Len())
		}
	}
	if _, ok := c.get("19", false); !ok {
		t.Error("the newest table is gone")
	}
	if _, ok := c.get("0", false); ok {
		t.Error("the oldest table is still there")
	}
	if _, ok := c.get("19", true); ok {
		t.Error("a table without weights answered for one with them")
	}
	c.add("19", true, table(25))
	if _, ok := c.get("19", false); !ok {
		t.Error("a table with weights did not answer for one without")
	}
}
